import type { Kernel } from './kernel';
import { plainKernel } from './plain';
import { createWasmKernel } from './wasm';

export { FIRST, type Kernel, MEAN, type RatioBase, settle, TABLES, type Toggles, UNION } from './kernel';

let chosen: Kernel = createWasmKernel() ?? plainKernel;

/** The path in use: WebAssembly where it can run, else TypeScript. */
export function kernel(): Kernel {
  return chosen;
}

/** For tests and benchmarks that hold both paths to the same answers. */
export function chooseKernel(next: Kernel): void {
  chosen = next;
}
