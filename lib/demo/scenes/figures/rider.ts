import { blob, ellipse, limb } from '../curves';
import { type Figure, type Layer, layer, type Stance } from '../figure';
import { darken, type Tone } from '../palette';
import { bicycleLayers, type CycleBuild } from './cycle';

export interface RiderBuild extends CycleBuild {
  skin: Tone;
  top: Tone;
  bottom: Tone;
  helmet: Tone;
}

function leg(build: RiderBuild, foot: readonly [number, number], shaded: boolean): Layer {
  const tone = shaded ? { ...build.bottom, hex: darken(build.bottom.hex, 0.3) } : build.bottom;
  const knee = [foot[0] + 6, foot[1] - 22] as const;
  const boot = limb([
    [foot[0], foot[1], 2.2],
    [foot[0] + 6, foot[1] + 0.6, 2],
  ]);
  return layer(
    [
      limb([
        [-12, -54, 5],
        [knee[0], knee[1], 3.8],
        [foot[0], foot[1], 2.6],
      ]),
      boot,
    ],
    'legs',
    tone,
    'cloth',
  );
}

/** A person on a bicycle from the side. Only the person is labelled: the machine is not part of a rider. */
export function rider(build: RiderBuild, { rng }: Stance): Figure {
  const lean = rng.between(-2, 3);
  const [sx, sy] = [6 + lean, -84];
  const head = [sx + 5, sy - 15] as const;
  const machine = bicycleLayers(build).map((entry) => ({ ...entry, tags: [] }));
  return {
    layers: [
      leg(build, [-9, -22], true),
      ...machine,
      layer(
        limb([
          [sx, sy + 2, 2.6],
          [sx + 9, sy + 16, 2.2],
          [20, -55, 1.8],
        ]),
        'arms',
        { ...build.top, hex: darken(build.top.hex, 0.25) },
        'cloth',
      ),
      layer(
        limb([
          [-14, -54, 6.4],
          [-6 + lean * 0.4, -70, 7],
          [sx, sy, 5.6],
        ]),
        'torso',
        build.top,
        'cloth',
      ),
      leg(build, [7, -8], false),
      layer(
        limb([
          [sx + 1, sy - 4, 2.4],
          [head[0] - 1, head[1] + 4, 2.4],
        ]),
        'head',
        build.skin,
      ),
      layer(ellipse(head[0], head[1], 6.4, 7.2), 'head', build.skin, 'plain', [
        { points: ellipse(head[0] + 3.6, head[1] - 0.5, 0.9, 1.1, 0, 8), closed: true, fill: '#1d1714' },
      ]),
      layer(
        blob([
          [head[0] - 7.4, head[1] - 0.5],
          [head[0] - 6, head[1] - 7.5],
          [head[0] + 2, head[1] - 9.6],
          [head[0] + 8, head[1] - 3.4],
          [head[0] + 2, head[1] - 2.4],
        ]),
        'head',
        build.helmet,
        'metal',
      ),
      layer(
        limb([
          [sx - 1, sy + 2, 3],
          [sx + 6, sy + 18, 2.5],
          [19, -54, 2],
        ]),
        'arms',
        build.top,
        'cloth',
      ),
    ],
    traits: [],
    draught: 0.12,
  };
}
