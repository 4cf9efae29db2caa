import { setFlagsFromString } from 'node:v8';

/** V8 collects when the heap is this much larger than what was alive the last time; by itself it waits for up to 300 %. */
const GROWING_PERCENT = 20;
let working = 0;

/**
 * An export makes much garbage and keeps little: about 20 MB are alive however many images it writes, but left to itself
 * the heap grows with their number to several times that. Here it is collected early, so that memory stays flat.
 */
export async function withTightHeap<T>(work: () => Promise<T>): Promise<T> {
  if (working++ === 0) setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  try {
    return await work();
  } finally {
    if (--working === 0) setFlagsFromString('--heap-growing-percent=0');
  }
}
