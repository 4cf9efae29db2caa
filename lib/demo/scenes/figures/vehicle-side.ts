import { blob, box, ellipse, rounded } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Stance } from '../figure';
import { darken, lighten, type Tone } from '../palette';
import { brandName, textPanel } from './lettering';
import { lamp, pane, seam, type VehicleProfile, wheel } from './vehicle-profiles';

export interface VehicleBuild {
  paint: Tone;
  trim: Tone;
  lettered: boolean;
  /** A second colour in stripes along the side. */
  striped: boolean;
}

function sideName(side: 'l' | 'r'): string {
  return side === 'l' ? 'leftside' : 'rightside';
}

function seats(profile: VehicleProfile): Layer[] {
  if (!profile.open) return [];
  return [36, 50].map((x) =>
    layer(
      blob([
        [x, -24],
        [x - 4, -33],
        [x - 2, -36],
        [x + 2, -35],
        [x + 5, -24],
      ]),
      'chassis body',
      { hex: '#6b4a37', name: 'brown' },
      'cloth',
    ),
  );
}

function arches(profile: VehicleProfile, hex: string): Mark[] {
  return profile.wheels.map(([x, r]) => ({
    points: ellipse(x, -r, r * 1.22),
    closed: true,
    fill: darken(hex, 0.7),
    opacity: 0.85,
  }));
}

function sideStripes(build: VehicleBuild, [left, right]: readonly [number, number]): Mark[] {
  if (!build.striped) return [];
  return [-21, -17].map((y) => ({
    points: [
      [left, y],
      [right, y],
    ],
    stroke: build.trim.hex,
    width: 2.4,
  }));
}

/** A road vehicle from the side, front to the right. */
export function vehicleSide(profile: VehicleProfile, build: VehicleBuild, stance: Stance): Figure {
  const side = sideName(stance.near);
  const skin = `chassis body ${side}`;
  const tagsOf = (extra: string) => `${skin} ${extra}`;
  const end = Math.max(...profile.body.map(([x]) => x));
  const marks = [
    ...sideStripes(build, [0, end]),
    ...arches(profile, build.paint.hex),
    seam(
      [
        [4, -12],
        [end - 4, -12],
      ],
      build.paint.hex,
      0.7,
    ),
  ];
  const doors = profile.doors.map((corners) => {
    const [a = [0, 0]] = corners;
    const rightmost = Math.max(...corners.map(([x]) => x));
    const handle: Mark = {
      points: [
        [a[0] + 2.5, -22],
        [a[0] + 6, -22],
      ],
      stroke: lighten(build.paint.hex, 0.6),
      width: 0.9,
    };
    return layer(rounded(corners, 1.5), tagsOf('door'), build.paint, 'metal', [
      ...sideStripes(build, [a[0], rightmost]),
      handle,
    ]);
  });
  const [mx, my] = profile.mirror;
  const cargo = profile.cargo
    ? [
        layer(rounded(profile.cargo, 1.2), skin, build.trim, 'plain', [
          ...arches(profile, build.trim.hex),
          ...[0.25, 0.5, 0.75].map((t): Mark => {
            const x = Math.max(...(profile.cargo ?? []).map(([px]) => px)) * t;
            return seam(
              [
                [x, -75],
                [x, -10],
              ],
              build.trim.hex,
            );
          }),
        ]),
      ]
    : [];
  const hitch = profile.cargo
    ? [layer(box(4, -17, end - 10, 6), 'chassis body', { hex: '#3b3d42' }, 'metal')]
    : [];
  return {
    layers: [
      ...hitch,
      ...seats(profile),
      ...(profile.roof
        ? [
            layer(
              rounded(profile.roof, 2.5),
              'chassis body roofside',
              { ...build.paint, hex: lighten(build.paint.hex, 0.1) },
              'metal',
            ),
          ]
        : []),
      layer(rounded(profile.body, 4.5), skin, build.paint, 'metal', marks),
      ...cargo,
      ...doors,
      ...profile.windows.map((corners) => pane(rounded(corners, 1.4))),
      ...(build.lettered
        ? [
            textPanel(
              brandName(stance),
              profile.sign,
              skin,
              { hex: '#f4efe2' },
              darken(build.paint.hex, 0.45),
              stance,
            ),
          ]
        : []),
      lamp(rounded(profile.headlight, 1.2), 'headlight', true),
      lamp(rounded(profile.taillight, 1.2), side, false),
      ...profile.wheels.map(([x, r]) => wheel(x, -r, r)),
      layer(
        ellipse(mx, my, 3.2, 2.3),
        `chassis mirror ${stance.near === 'l' ? 'leftmirror' : 'rightmirror'}`,
        { hex: darken(build.paint.hex, 0.25) },
        'metal',
      ),
    ],
    traits: ['metallic', 'long', ...(build.striped ? ['patterned'] : [])],
    draught: 0.1,
  };
}
