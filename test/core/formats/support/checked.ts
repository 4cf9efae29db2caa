import { commonOptions } from '@/lib/core/formats/common-options';
import type { Dataset } from '@/lib/core/formats/dataset';
import type { Check, Format } from '@/lib/core/formats/format';
import { prepareDataset } from '@/lib/core/formats/prepare';
import { readOptions } from '@/lib/core/formats/read-options';

/** What somebody is told before an export with these options. */
export async function checked(
  format: Format,
  dataset: Dataset,
  given: Record<string, unknown> = {},
): Promise<Check & { refused: string; lost: string }> {
  const options = readOptions([...commonOptions, ...format.options], given);
  const check = await format.check(await prepareDataset(dataset, options), options);
  return {
    ...check,
    refused: check.refusals.map(({ what, examples }) => `${what} (${examples.join(', ')})`).join('\n'),
    lost: check.losses.join('\n'),
  };
}
