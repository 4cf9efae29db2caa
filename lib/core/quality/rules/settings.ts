import { z } from 'zod';

/** Settings that several rules have, each with its range. */
export const share = (usual: number) => z.number().gt(0).max(1).default(usual);
export const probability = (usual: number) => z.number().gt(0).lt(1).default(usual);
export const count = (usual: number, least = 2) => z.number().int().min(least).max(1000).default(usual);
/** How many of the latest answers a rule looks at; histories are read no farther back. */
export const recent = (usual: number) => z.number().int().min(10).max(100).default(usual);
/** Of rules with a sequential test. Divided by the number of stages, and by the number of tests of the rule. */
export const careerError = (usual: number) =>
  z
    .number()
    .gt(0)
    .max(0.5)
    .default(usual)
    .describe('probability to stop a good worker at any time, over all stages');
export const leaning = () =>
  share(0.5).describe(
    'share of the evidence that stops a worker (logarithmic) at which the first step is taken',
  );
