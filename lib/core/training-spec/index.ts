/** The complete description of a training run (`job.json`), its rules and presets. */

export * from './job-directory';
export * from './job-spec';
export * from './presets';
export { brokenRules, type Rule, rules } from './rules';
