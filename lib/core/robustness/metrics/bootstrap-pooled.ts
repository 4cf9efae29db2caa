import { bootstrap } from './bootstrap';
import type { Estimate } from './estimate';

/** Of each image any number of values: their mean, all values alike, with an interval over images. */
export function bootstrapPooled(
  values: readonly (readonly number[])[],
  { seed = 0, of = values.length }: { seed?: number; of?: number } = {},
): Estimate {
  const known = values.filter((own) => own.length > 0);
  const sums = Float64Array.from(known, (own) => own.reduce((a, b) => a + b, 0));
  const counts = Float64Array.from(known, (own) => own.length);
  return bootstrap(
    known.length,
    (times) => {
      let [sum, n] = [0, 0];
      for (let i = 0; i < sums.length; i++) {
        sum += (times[i] as number) * (sums[i] as number);
        n += (times[i] as number) * (counts[i] as number);
      }
      return n === 0 ? null : sum / n;
    },
    { seed, of },
  );
}
