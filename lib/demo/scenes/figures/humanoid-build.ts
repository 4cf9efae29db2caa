import type { Finish, Side, Stance } from '../figure';
import type { Tone } from '../palette';

/** A standing person or monkey seen from the front or the back; units of about 1.8 cm, ground at y = 0. */
export interface HumanoidBuild {
  skin: Tone;
  top: Tone;
  bottom: Tone;
  shoe: Tone;
  hair: Tone;
  eye: Tone;
  /** Monkeys: fur everywhere, long arms, a tail, ears that stand out. */
  ape: boolean;
  fromBehind: boolean;
  headSize: number;
  legLength: number;
  armLength: number;
  shoulder: number;
  finish: Finish;
}

/** Picture right is the left side of a figure that looks at the viewer. */
export function bodySide(right: boolean, build: HumanoidBuild, { facing }: Stance): Side {
  const pictureRight = right === (facing === 1);
  return pictureRight === !build.fromBehind ? 'l' : 'r';
}
