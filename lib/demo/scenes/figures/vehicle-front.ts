import { box, ellipse, rounded } from '../curves';
import { type Figure, type Layer, layer, type Mark, type Side, type Stance } from '../figure';
import { darken, lighten } from '../palette';
import { brandName, plateNumber, textPanel } from './lettering';
import { lamp, pane, seam } from './vehicle-profiles';
import type { VehicleBuild } from './vehicle-side';

/** Half width, height and where the glass begins, in the units of the side views. */
export interface VehicleFace {
  half: number;
  height: number;
  waist: number;
  /** Width of the roof against the body: a car tapers, a bus hardly does. */
  taper: number;
  /** Load box that stands above and beside the cab. */
  cargo?: { half: number; height: number };
}

interface View {
  face: VehicleFace;
  build: VehicleBuild;
  end: 'front' | 'rear';
  stance: Stance;
  /** Tags of the panel that looks at the viewer. */
  skin: string;
}

function tyre(x: number): Layer {
  const black = { hex: '#26262b', name: 'black' } as const;
  return layer(box(x - 4.5, -15, 9, 15, 2.5), 'wheels wheel tier', black, 'rubber');
}

/** Picture right is the left of a vehicle that looks at the viewer, and the right of one that drives off. */
function sideAt(right: boolean, { end, stance }: View): Side {
  const pictureRight = right === (stance.facing === 1);
  return pictureRight === (end === 'front') ? 'l' : 'r';
}

function mirror(right: boolean, view: View): Layer {
  const { half, waist } = view.face;
  const side = sideAt(right, view) === 'l' ? 'leftmirror' : 'rightmirror';
  const shape = ellipse((right ? 1 : -1) * (half + 2.6), -waist - 2, 3.4, 2.4);
  return layer(shape, `chassis mirror ${side}`, { hex: darken(view.build.paint.hex, 0.2) }, 'metal');
}

function light(right: boolean, { face, end }: View): Layer {
  const x = right ? face.half * 0.58 : -face.half * 0.94;
  const shape = box(x, -Math.min(face.waist, 30) + 4, face.half * 0.36, 6, 2);
  return lamp(shape, end === 'front' ? 'headlight' : 'backside', end === 'front');
}

function cab({ face, build, end, skin }: View): Layer[] {
  const { half, height, waist, taper } = face;
  const foot = taper + 0.12;
  const roof = rounded(
    [
      [-half * foot, -waist],
      [-half * taper, -height],
      [half * taper, -height],
      [half * foot, -waist],
    ],
    4,
  );
  const front = rounded(
    [
      [-half, -7],
      [-half, -waist],
      [-half * 0.8, -waist - 3],
      [half * 0.8, -waist - 3],
      [half, -waist],
      [half, -7],
    ],
    4,
  );
  const glass = rounded(
    [
      [-half * (foot - 0.06), -waist],
      [-half * (taper - 0.06), -height + 3.5],
      [half * (taper - 0.06), -height + 3.5],
      [half * (foot - 0.06), -waist],
    ],
    2,
  );
  const grille: Mark = {
    points: box(-half * 0.5, -16, half, 5, 1),
    closed: true,
    fill: darken(build.paint.hex, 0.65),
    opacity: 0.9,
  };
  const lid = seam(
    [
      [-half * 0.9, -waist * 0.72],
      [half * 0.9, -waist * 0.72],
    ],
    build.paint.hex,
    0.7,
  );
  const roofTone = { ...build.paint, hex: lighten(build.paint.hex, 0.12) };
  return [
    layer(roof, 'chassis body roofside', roofTone, 'metal'),
    layer(front, skin, build.paint, 'metal', [end === 'front' ? grille : lid]),
    pane(glass),
  ];
}

function loadBox({ face, build, skin, stance, end }: View): Layer[] {
  if (!face.cargo) return [];
  const { half, height } = face.cargo;
  const doors = [-0.06, 0.06].map((t) =>
    seam(
      [
        [half * t, -height],
        [half * t, 0],
      ],
      build.trim.hex,
      0.7,
    ),
  );
  const sign = textPanel(
    brandName(stance),
    [-half * 0.7, -height + 4, half * 1.4, 9],
    skin,
    { hex: '#f4efe2' },
    darken(build.paint.hex, 0.4),
    stance,
  );
  return [
    layer(
      box(-half, -height, half * 2, height - 12, 1.5),
      skin,
      build.trim,
      'plain',
      end === 'rear' ? doors : [],
    ),
    ...(build.lettered ? [sign] : []),
  ];
}

function bumper({ face, skin }: View): Layer {
  return layer(box(-face.half * 1.05, -16, face.half * 2.1, 9, 1), skin, { hex: '#43464c' }, 'metal');
}

function plate({ face, end, stance }: View): Layer {
  const tag = end === 'front' ? 'fliplate' : 'bliplate';
  const area = [-face.half * 0.36, -13.5, face.half * 0.72, 5.6] as const;
  return textPanel(plateNumber(stance), area, `plate body ${tag}`, { hex: '#f6f4ec' }, '#22242c', stance);
}

/** A road vehicle that comes towards the viewer or drives off; a loaded one hides its cab behind the load. */
export function vehicleFront(
  face: VehicleFace,
  build: VehicleBuild,
  end: View['end'],
  stance: Stance,
): Figure {
  const view: View = {
    face,
    build,
    end,
    stance,
    skin: `chassis body ${end === 'front' ? 'frontside' : 'backside'}`,
  };
  const body =
    end === 'rear' && face.cargo ? [...loadBox(view), bumper(view)] : [...loadBox(view), ...cab(view)];
  return {
    layers: [
      tyre(-face.half * 0.72),
      tyre(face.half * 0.72),
      mirror(true, view),
      mirror(false, view),
      ...body,
      light(true, view),
      light(false, view),
      plate(view),
    ],
    traits: ['metallic', 'long'],
    draught: 0.1,
  };
}
