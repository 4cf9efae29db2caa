import { DEFAULT_STEP } from '@/lib/core/robustness/onnx/decoder-contract';
import type { Preset, Setting } from '@/lib/core/robustness/suites';
import { isPlainGenerator } from './new-evaluation';

/** What suites are planned from, the same for a plan, an evaluation and a picture that is made again. */
export const settingOf = (
  options: { preset: Preset; seed: number; generator: string },
  contract: { classes: readonly string[]; input: { side: number } },
  schema: { attributes: readonly { id: string; kind: string }[] },
  offers: Setting['offers'],
  /** Of a decoder, as its contract says. */
  step: number = DEFAULT_STEP,
): Setting => ({
  preset: options.preset,
  seed: options.seed,
  classes: contract.classes,
  attributes: schema.attributes.filter(({ kind }) => kind === 'localised').map(({ id }) => id),
  marked: schema.attributes.map(({ id }) => id),
  side: contract.input.side,
  generator: isPlainGenerator(options.generator) ? { id: options.generator } : { id: 'decoder', step },
  offers,
});
