export { backgrounds } from './backgrounds';
export { generateScene } from './generate';
export { homeBackground } from './habitats';
export { outlinesOf } from './outline';
export { createRng, type Rng } from './prng';
export type { Scene, SceneInstance, SceneOptions, ScenePreset } from './scene';
