export * from './job-spec';
export * from './presets';
export { brokenRules, type Rule, rules } from './rules';
