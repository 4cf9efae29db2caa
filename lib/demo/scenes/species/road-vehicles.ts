import type { Figure, Stance } from '../figure';
import { type VehicleFace, vehicleFront } from '../figures/vehicle-front';
import {
  bus,
  convertible,
  estate,
  jeep,
  saloon,
  semi,
  type VehicleProfile,
  van,
} from '../figures/vehicle-profiles';
import { type VehicleBuild, vehicleSide } from '../figures/vehicle-side';
import { anyTone, type ColourName } from '../palette';
import type { Species } from './animal';

interface Model {
  id: string;
  wnid?: string;
  profile: VehicleProfile;
  face: VehicleFace;
  paints: readonly ColourName[];
  trims: readonly ColourName[];
  /** Share of vehicles with writing on the side. */
  lettered: number;
  traits?: readonly string[];
}

/** Two of three vehicles are seen from the side, the rest from the front or the rear. */
function view({ rng }: Stance): 'side' | 'front' | 'rear' {
  return rng.pick(['side', 'side', 'side', 'side', 'front', 'rear'] as const);
}

function vehicle({ id, wnid, profile, face, paints, trims, lettered, traits }: Model): Species {
  return {
    id,
    ...(wnid ? { wnid } : {}),
    ...(traits ? { traits } : {}),
    draw(stance): Figure {
      const { rng } = stance;
      const chosen = view(stance);
      const build: VehicleBuild = {
        paint: anyTone(rng, paints),
        trim: anyTone(rng, trims),
        lettered: rng.bernoulli(lettered),
        striped: rng.bernoulli(0.15),
      };
      return chosen === 'side'
        ? vehicleSide(profile, build, stance)
        : vehicleFront(face, build, chosen, stance);
    },
  };
}

const PAINTS: readonly ColourName[] = [
  'red',
  'blue',
  'white',
  'black',
  'silver',
  'grey',
  'green',
  'yellow',
  'orange',
];
const BOX = ['long', 'tall', 'rectangular'] as const;
const CAR_FACE: VehicleFace = { half: 21, height: 43, waist: 27, taper: 0.66 };

export const estateCar = vehicle({
  id: 'beach-waggon',
  wnid: 'n02814533',
  profile: estate,
  face: CAR_FACE,
  paints: PAINTS,
  trims: ['brown', 'white', 'black'],
  lettered: 0.15,
});
export const convertibleCar = vehicle({
  id: 'convertible',
  wnid: 'n03100240',
  profile: convertible,
  face: { half: 21, height: 38, waist: 26, taper: 0.66 },
  paints: PAINTS,
  trims: ['white', 'black'],
  lettered: 0.1,
});
export const saloonCar = vehicle({
  id: 'saloon',
  profile: saloon,
  face: CAR_FACE,
  paints: PAINTS,
  trims: ['white', 'black'],
  lettered: 0.2,
});
export const jeepCar = vehicle({
  id: 'jeep',
  wnid: 'n03594945',
  profile: jeep,
  face: { half: 20, height: 48, waist: 30, taper: 0.78 },
  paints: ['green', 'brown', 'grey', 'red'],
  trims: ['black', 'white'],
  lettered: 0.1,
});
export const movingVan = vehicle({
  id: 'moving-van',
  wnid: 'n03796401',
  profile: van,
  face: { half: 22, height: 50, waist: 30, taper: 0.7, cargo: { half: 25, height: 64 } },
  paints: PAINTS,
  trims: ['white', 'orange', 'yellow', 'silver', 'blue'],
  lettered: 0.75,
  traits: BOX,
});
export const semiTrailer = vehicle({
  id: 'semi',
  wnid: 'n04467665',
  profile: semi,
  face: { half: 22, height: 58, waist: 36, taper: 0.76, cargo: { half: 25, height: 70 } },
  paints: PAINTS,
  trims: ['white', 'silver', 'grey', 'red', 'green'],
  lettered: 0.6,
  traits: BOX,
});
export const cityBus = vehicle({
  id: 'bus',
  wnid: 'n04487081',
  profile: bus,
  face: { half: 23, height: 60, waist: 28, taper: 0.86 },
  paints: ['red', 'yellow', 'blue', 'green', 'white'],
  trims: ['white', 'black'],
  lettered: 0.4,
  traits: BOX,
});
