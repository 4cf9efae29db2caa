import { attackVariant } from '../attacks/attack-variant';
import { apgdAttack, pgdAttack, squareAttack, standardAttacks } from '../attacks/attacks';
import { attackReport } from '../report/attack-report';
import type { Setting, Suite } from './suite';

/** Attacks ask the model thousands of times for one image. */
const QUICK_IMAGES = 50;
const PAPER_IMAGES = 1000;

const chosen = ({ preset, offers }: Setting) => {
  const attacks =
    preset === 'paper'
      ? // The part-model paper gives both: what PGD alone leaves, and what stands after all.
        [...(offers.gradient ? [pgdAttack()] : []), ...standardAttacks(offers.gradient)]
      : offers.gradient
        ? [apgdAttack({ iterations: 20 }), squareAttack({ queries: 200 })]
        : [squareAttack({ queries: 500 })];
  const radii = preset === 'paper' ? [8, 16, 24, 32] : [8, 32];
  return { attacks, radii, variant: attackVariant(attacks, { radii }) };
};

export const attack: Suite = {
  id: 'attacks',
  name: 'Attacks',
  says: 'The worst picture within a small distance: with gradients where the model came with them, with scores otherwise.',
  refusal: () => null,
  variants(setting) {
    const { variant } = chosen(setting);
    return [{ ...variant, most: setting.preset === 'paper' ? PAPER_IMAGES : QUICK_IMAGES }];
  },
  report(table, setting) {
    const { attacks, radii, variant } = chosen(setting);
    return attackReport(table, { variant: variant.id, attacks, radii });
  },
};
