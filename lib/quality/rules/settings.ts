import { z } from 'zod';

/** Settings that several rules have, each with its range. */
export const share = (usual: number) => z.number().gt(0).max(1).default(usual);
export const probability = (usual: number) => z.number().gt(0).lt(1).default(usual);
export const count = (usual: number, least = 2) => z.number().int().min(least).max(1000).default(usual);
/** How many of the latest answers a rule looks at; histories are read no farther back. */
export const recent = (usual: number) => z.number().int().min(10).max(100).default(usual);
