import type { Point } from '@/lib/core/geometry';
import { onGrid } from '../document/limits';
import type { EdgeCosts } from './edge-costs';
import { simplifyPath } from './simplify-path';

/** Side of the square around the seed in which paths are looked for, in pixels of the costs. */
const WINDOW = 512;

/** Lengths of a straight and a diagonal step in fifths: 7 / 5 is √2 to one per cent. */
const STRAIGHT = 5;
const DIAGONAL = 7;
/** Above the costliest step, MAX_COST · DIAGONAL = 840. */
const SPAN = 1024;

/** A chain of pixels wobbles by half a pixel about the edge that it follows. */
const TOLERANCE = 0.75;

const STEP_X = [1, 1, 0, -1, -1, -1, 0, 1] as const;
const STEP_Y = [0, 1, 1, 1, 0, -1, -1, -1] as const;
const FAR = 0x7fffffff;

/**
 * Cheapest paths from one seed along the edges of a picture (Mortensen and Barrett, Intelligent Scissors, 1995).
 * Dijkstra's search goes on only as far as a question needs and keeps what it knows, so a pointer that moves
 * about asks mostly for paths that are there already.
 */
export class Livewire {
  readonly #edges: EdgeCosts;
  readonly #left: number;
  readonly #top: number;
  readonly #width: number;
  readonly #height: number;
  readonly #distance: Int32Array;
  /** Direction in which the path from the seed arrives. */
  readonly #arrival: Uint8Array;
  readonly #settled: Uint8Array;
  readonly #queue: BucketQueue;
  readonly #seed: number;

  constructor(edges: EdgeCosts, seed: Point) {
    const x = clamp(Math.floor(seed[0] / edges.scale), edges.width);
    const y = clamp(Math.floor(seed[1] / edges.scale), edges.height);
    this.#edges = edges;
    this.#left = Math.max(0, x - WINDOW / 2);
    this.#top = Math.max(0, y - WINDOW / 2);
    this.#width = Math.min(edges.width, x + WINDOW / 2) - this.#left;
    this.#height = Math.min(edges.height, y + WINDOW / 2) - this.#top;
    const nodes = this.#width * this.#height;
    this.#distance = new Int32Array(nodes).fill(FAR);
    this.#arrival = new Uint8Array(nodes);
    this.#settled = new Uint8Array(nodes);
    this.#queue = new BucketQueue(nodes, SPAN);
    this.#seed = (y - this.#top) * this.#width + x - this.#left;
    this.#distance[this.#seed] = 0;
    this.#queue.push(this.#seed, 0);
  }

  /** From the seed (left out) to the point, in image pixels; beyond the window the end is straight. */
  pathTo(point: Point): Float64Array {
    const { scale } = this.#edges;
    const x = clamp(Math.floor(point[0] / scale) - this.#left, this.#width);
    const y = clamp(Math.floor(point[1] / scale) - this.#top, this.#height);
    const target = y * this.#width + x;
    this.#settle(target);
    const chain = this.#chainTo(target);
    const simple = simplifyPath(chain, TOLERANCE).map((value) => onGrid(value * scale));
    const path = new Float64Array(Math.max(2, simple.length - 2));
    path.set(simple.subarray(2));
    path.set(point, path.length - 2);
    return path;
  }

  /** Pixel centres from the seed to a settled node, in pixels of the costs. */
  #chainTo(target: number): number[] {
    const back: number[] = [];
    for (let node = target; ; ) {
      const x = node % this.#width;
      back.push((node - x) / this.#width + this.#top + 0.5, x + this.#left + 0.5);
      if (node === this.#seed) return back.reverse();
      const direction = this.#arrival[node] as number;
      node -= (STEP_X[direction] as number) + (STEP_Y[direction] as number) * this.#width;
    }
  }

  #settle(target: number): void {
    while (this.#settled[target] === 0 && this.#queue.size > 0) {
      const node = this.#queue.take();
      this.#settled[node] = 1;
      this.#relax(node);
    }
  }

  #relax(node: number): void {
    const width = this.#width;
    const x = node % width;
    const y = (node - x) / width;
    const distance = this.#distance[node] as number;
    for (let direction = 0; direction < 8; direction++) {
      const nextX = x + (STEP_X[direction] as number);
      const nextY = y + (STEP_Y[direction] as number);
      if (nextX < 0 || nextY < 0 || nextX >= width || nextY >= this.#height) continue;
      const next = nextY * width + nextX;
      if (this.#settled[next] === 1) continue;
      const cost = this.#edges.costs[(nextY + this.#top) * this.#edges.width + nextX + this.#left] as number;
      const reached = distance + cost * (direction & 1 ? DIAGONAL : STRAIGHT);
      const known = this.#distance[next] as number;
      if (reached >= known) continue;
      if (known !== FAR) this.#queue.remove(next);
      this.#distance[next] = reached;
      this.#arrival[next] = direction;
      this.#queue.push(next, reached);
    }
  }
}

function clamp(value: number, size: number): number {
  return Math.min(size - 1, Math.max(0, value));
}

/**
 * Dial's priority queue: nodes with small integer keys, where no key waits longer than `span` behind the least
 * (R. B. Dial, Algorithm 360, CACM 1969). All operations take constant time.
 */
export class BucketQueue {
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #mask: number;
  #key = 0;
  #size = 0;

  /** `span` is a power of two above the largest step from a taken key to a new one. */
  constructor(nodes: number, span: number) {
    this.#heads = new Int32Array(span).fill(-1);
    this.#next = new Int32Array(nodes);
    this.#previous = new Int32Array(nodes);
    this.#mask = span - 1;
  }

  get size(): number {
    return this.#size;
  }

  push(node: number, key: number): void {
    const bucket = key & this.#mask;
    const head = this.#heads[bucket] as number;
    this.#next[node] = head;
    this.#previous[node] = -1 - bucket;
    if (head >= 0) this.#previous[head] = node;
    this.#heads[bucket] = node;
    this.#size++;
  }

  remove(node: number): void {
    const next = this.#next[node] as number;
    const previous = this.#previous[node] as number;
    if (previous < 0) this.#heads[-1 - previous] = next;
    else this.#next[previous] = next;
    if (next >= 0) this.#previous[next] = previous;
    this.#size--;
  }

  /** A node with the least key; only while the queue is not empty. */
  take(): number {
    while ((this.#heads[this.#key & this.#mask] as number) < 0) this.#key++;
    const node = this.#heads[this.#key & this.#mask] as number;
    this.remove(node);
    return node;
  }
}
