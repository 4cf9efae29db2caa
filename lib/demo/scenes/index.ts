export { backgrounds } from './backgrounds';
export { generateScene } from './generate';
export { homeBackground } from './habitats';
export { createRng, type Rng } from './prng';
export { outlinesOf, type Scene, type SceneInstance, type SceneOptions, type ScenePreset } from './scene';
