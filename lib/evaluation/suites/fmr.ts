import { fmrVariant } from '../fmr/fmr-variant';
import { identityGenerator, randomGenerator, searchGenerator } from '../fmr/generators';
import { countFmr, fmrOf } from '../metrics/fmr';
import { fmrReport, fmrRows } from '../report/fmr-report';
import type { Setting, Suite } from './suite';

const QUICK_IMAGES = 50;
const PAPER_IMAGES = 1000;

const driven = ({ preset }: Setting) =>
  preset === 'paper'
    ? fmrVariant({ generator: searchGenerator({ candidates: 8 }), budget: 50 })
    : fmrVariant({ generator: searchGenerator({ candidates: 4 }), budget: 10 });

/** Without guidance, and without any change: what the guided chain has to be held against. */
const controls = ({ preset }: Setting) =>
  [randomGenerator(), identityGenerator()].map((generator) =>
    fmrVariant({ generator, budget: preset === 'paper' ? 50 : 10 }),
  );

export const fmr: Suite = {
  id: 'fmr',
  name: 'As far as an oracle follows',
  says: 'Pictures driven away from the model for as long as other models still see the class (FMR).',
  refusal: ({ offers }) =>
    offers.oracle
      ? null
      : 'It needs an oracle: name one to three other models of the project that know the same classes.',
  variants(setting) {
    const most = setting.preset === 'paper' ? PAPER_IMAGES : QUICK_IMAGES;
    return [driven(setting), ...controls(setting)].map((variant) => ({ ...variant, most }));
  },
  report(table, setting) {
    const found = fmrReport(table, driven(setting).id, setting.seed);
    // Of the same images above and below: only there is 1 what no change gives.
    const [atRandom, unchanged] = controls(setting).map(
      ({ id }) => fmrOf(countFmr(fmrRows(table, id))).fmrMatched,
    );
    const text = (value: number | null | undefined) => (typeof value === 'number' ? value.toFixed(2) : '–');
    return {
      ...found,
      notes: [
        ...found.notes,
        `Controls of FMR, on validated images: ${text(atRandom)} where changes are made at random, ${text(unchanged)} where none is made (1 by definition).`,
      ],
    };
  },
};
