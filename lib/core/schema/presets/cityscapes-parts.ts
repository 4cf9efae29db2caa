import { type DatasetSchema, partColour, type SchemaPart } from '../types';

const HUMANS = ['person', 'rider'];
const VEHICLES = ['car', 'truck', 'bus'];

/** pid numbers of the panoptic-parts release; channel = the nine-part grouping of the part-model loader. */
const PARTS: ReadonlyArray<
  readonly [id: string, name: string, classes: string[], pid: number, zOrder: number, definition: string]
> = [
  ['human-torso', 'Torso', HUMANS, 1, 0, 'Trunk from the neck to the hips.'],
  ['human-head', 'Head', HUMANS, 2, 3, 'Head with hair, hat or helmet.'],
  ['human-arms', 'Arms', HUMANS, 3, 2, 'Both arms with the hands.'],
  ['human-legs', 'Legs', HUMANS, 4, 1, 'Both legs with the feet.'],
  ['vehicle-windows', 'Windows', VEHICLES, 1, 1, 'Every pane of glass.'],
  ['vehicle-wheels', 'Wheels', VEHICLES, 2, 1, 'Every wheel with its tyre.'],
  ['vehicle-lights', 'Lights', VEHICLES, 3, 2, 'Head, tail and side lights.'],
  ['vehicle-license-plate', 'License plate', VEHICLES, 4, 2, 'The plates in front and behind.'],
  ['vehicle-chassis', 'Chassis', VEHICLES, 5, 0, 'All of the vehicle that is no other part.'],
];

const parts = PARTS.map(
  ([id, name, classes, pid, zOrder, definition], index): SchemaPart => ({
    id,
    name,
    classes,
    definition,
    zOrder,
    colour: partColour(index),
    codes: { pid, channel: index + 1 },
  }),
);

export const cityscapesParts: DatasetSchema = {
  id: 'cityscapes-parts',
  name: 'Cityscapes parts',
  description: 'Persons, riders, cars, trucks and buses in street scenes, with instances and nine parts.',
  citation: 'Meletis et al., Cityscapes Panoptic Parts, 2020',
  classes: [
    {
      id: 'person',
      name: 'Person',
      superclass: 'human',
      codes: { sid: 24 },
      definition: 'A person on foot.',
    },
    {
      id: 'rider',
      name: 'Rider',
      superclass: 'human',
      codes: { sid: 25 },
      definition: 'A person on a bicycle or motorbike, without the machine.',
    },
    { id: 'car', name: 'Car', superclass: 'vehicle', codes: { sid: 26 }, definition: 'A passenger car.' },
    { id: 'truck', name: 'Truck', superclass: 'vehicle', codes: { sid: 27 }, definition: 'A goods vehicle.' },
    { id: 'bus', name: 'Bus', superclass: 'vehicle', codes: { sid: 28 }, definition: 'A bus or coach.' },
  ],
  attributeGroups: [],
  attributes: [],
  parts,
};
