export * from './job-directory';
export * from './job-spec';
export * from './presets';
export { brokenRules, type Rule, rules } from './rules';
