import { type Suspicion, suspicionsBefore } from '@/lib/core/robustness/attacks/suspicions';
import { NotFinite } from '@/lib/core/robustness/attacks/victim';
import type { ModelRunner } from '@/lib/core/robustness/model-runner';
import type { Surroundings, Variant } from '@/lib/core/robustness/types';
import type { SamplePool } from './sample-pool';

/** Enough to see chance or a flat gradient; each costs three runs. */
const LOOKED_AT = 3;

/** Reasons not to believe what attacks leave standing that are seen before any of them. */
export async function attackDoubts(
  { kind }: Pick<ModelRunner, 'kind'>,
  pool: SamplePool,
  variants: readonly Pick<Variant, 'id'>[],
  around: Surroundings,
): Promise<string[]> {
  if (!variants.some(({ id }) => id.startsWith('attack.'))) return [];
  const samples = [];
  for (const entry of pool.entries.slice(0, LOOKED_AT)) samples.push(await pool.sample(entry));
  let found: Suspicion[] = [];
  try {
    found = await suspicionsBefore(samples, around, kind);
  } catch (error) {
    // Numbers that are none are told where images were left out.
    if (!(error instanceof NotFinite)) throw error;
  }
  return found.map(({ says }) => says);
}
