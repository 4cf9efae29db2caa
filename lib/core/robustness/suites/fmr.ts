import { crowdVariant } from '../fmr/crowd-variant';
import { fmrVariant } from '../fmr/fmr-variant';
import {
  type Generator,
  identityGenerator,
  randomGenerator,
  searchGenerator,
  squaresGenerator,
} from '../fmr/generators';
import { latentGenerator, rebuiltGenerator } from '../fmr/latent-walk';
import { countFmr, fmrOf } from '../metrics/fmr';
import { fmrReport, fmrRows } from '../report/fmr-report';
import type { Planned, Setting, Suite } from './suite';

const QUICK_IMAGES = 50;
const PAPER_IMAGES = 1000;

/** All that decides what pictures are driven by, and how far. */
type Driving = Pick<Setting, 'preset' | 'generator' | 'offers'>;

const budgetOf = ({ preset }: Driving): number => (preset === 'paper' ? 50 : 10);

function generatorOf({ preset, generator = { id: 'search' } }: Driving): Generator {
  const candidates = preset === 'paper' ? 8 : 4;
  if (generator.id === 'decoder') return latentGenerator({ candidates, step: generator.step });
  return generator.id === 'squares' ? squaresGenerator({ candidates }) : searchGenerator({ candidates });
}

/** What images are driven by, and how far at most. */
export const chainOf = (setting: Driving) => ({
  generator: generatorOf(setting),
  budget: budgetOf(setting),
});

const mostOf = ({ preset }: Driving): number => (preset === 'paper' ? PAPER_IMAGES : QUICK_IMAGES);

/** What the figure is made of; all else are controls. */
export const driven = (setting: Driving): Planned => ({
  ...(setting.offers.crowd ? crowdVariant(chainOf(setting)) : fmrVariant(chainOf(setting))),
  most: mostOf(setting),
});

/** Without guidance, and without any change: what the guided chain has to be held against. */
const controls = (setting: Setting) =>
  // People are paid: they are not asked about controls.
  setting.offers.crowd
    ? []
    : [randomGenerator(), identityGenerator()].map((generator) =>
        fmrVariant({ generator, budget: budgetOf(setting) }),
      );

/** Of a decoder also what it makes of a picture by itself; once is enough, it would be the same again. */
const rebuilt = ({ generator, offers }: Setting) =>
  generator?.id === 'decoder' && !offers.crowd
    ? [fmrVariant({ generator: rebuiltGenerator(), budget: 1 })]
    : [];

export const fmr: Suite = {
  id: 'fmr',
  name: 'As far as an oracle follows',
  says: 'Pictures driven away from the model for as long as other models, or people, still see the class (FMR).',
  refusal: ({ offers }) =>
    offers.oracle || offers.crowd
      ? null
      : 'It needs an oracle: name one to three other models of the project that know the same classes, or the crowd.',
  variants(setting) {
    const beside = [...controls(setting), ...rebuilt(setting)];
    return [driven(setting), ...beside.map((variant) => ({ ...variant, most: mostOf(setting) }))];
  },
  report(table, setting) {
    const found = fmrReport(table, driven(setting).id, setting.seed);
    // Of the same images above and below: only there is 1 what no change gives.
    const matched = ({ id }: { id: string }) => fmrOf(countFmr(fmrRows(table, id))).fmrMatched;
    const [atRandom, unchanged] = controls(setting).map(matched);
    const [redrawn] = rebuilt(setting).map(matched);
    const text = (value: number | null | undefined) => (typeof value === 'number' ? value.toFixed(2) : '–');
    return {
      ...found,
      notes: [
        ...found.notes,
        ...(setting.offers.crowd
          ? []
          : [
              `Controls of FMR, on validated images: ${text(atRandom)} where changes are made at random, ${text(unchanged)} where none is made (1 by definition).`,
            ]),
        ...(redrawn === undefined
          ? []
          : [
              `The decoder alone: ${text(redrawn)} where pictures are drawn again without a step. What is lost there is not the walk’s doing.`,
            ]),
      ],
    };
  },
};
