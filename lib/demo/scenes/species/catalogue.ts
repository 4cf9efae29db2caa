import type { Species } from './animal';
import { cow, deer, horse, ram, sheep, zebra } from './hoofed';
import { planes, pushBike, sailingBoats, scooter, ships } from './machines';
import { apes, bicycleRider, person, portraitPerson } from './people';
import { cats, dogs, spottedDog } from './pets';
import {
  cityBus,
  convertibleCar,
  estateCar,
  jeepCar,
  movingVan,
  saloonCar,
  semiTrailer,
} from './road-vehicles';
import { finches, fishes, frogs, lizards, otherBirds, snakes } from './small-animals';
import { bottles, chairThing, plantThing, sofaThing, tableThing, trainThing, tvThing } from './things';
import { bear, fox, tiger } from './wild';

/** Who may play each class of each schema preset. */
export const catalogue: Readonly<Record<string, Readonly<Record<string, readonly Species[]>>>> = {
  rival10: {
    bird: finches,
    car: [estateCar, convertibleCar],
    cat: cats,
    deer,
    dog: dogs,
    equine: [horse, zebra],
    frog: frogs,
    plane: planes,
    ship: ships,
    truck: [movingVan, semiTrailer],
  },
  'part-imagenet': {
    Quadruped: [...cats.slice(1), ...dogs.slice(1), ...deer, bear, fox, tiger, ram],
    Biped: apes,
    Fish: fishes,
    Bird: otherBirds,
    Snake: snakes,
    Reptile: [...lizards, ...lizards, ...frogs],
    Car: [estateCar, convertibleCar, jeepCar, cityBus],
    Bicycle: [pushBike, scooter],
    Boat: sailingBoats,
    Aeroplane: planes,
    Bottle: bottles,
  },
  'cityscapes-parts': {
    person: [person],
    rider: [bicycleRider],
    car: [saloonCar, estateCar, jeepCar],
    truck: [movingVan, semiTrailer],
    bus: [cityBus],
  },
  'pascal-part': {
    aeroplane: planes,
    bicycle: [pushBike],
    bird: [...finches, ...otherBirds],
    boat: [...sailingBoats, ...ships],
    bottle: bottles,
    bus: [cityBus],
    car: [saloonCar, estateCar, convertibleCar, jeepCar],
    cat: cats,
    chair: [chairThing],
    cow: [cow],
    table: [tableThing],
    dog: [...dogs, spottedDog],
    horse: [horse],
    motorbike: [scooter],
    person: [portraitPerson],
    pottedplant: [plantThing],
    sheep: [sheep],
    sofa: [sofaThing],
    train: [trainThing],
    tvmonitor: [tvThing],
  },
  'pascal-part-grouped': {
    aeroplane: planes,
    bird: [...finches, ...otherBirds],
    car: [saloonCar, estateCar, convertibleCar, jeepCar],
    cat: cats,
    dog: [...dogs, spottedDog],
  },
};
