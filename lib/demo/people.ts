import type { Skill } from './hand';

export type DemoPerson = { key: string; name: string; email: string };

/** The people a visitor can sign in as. */
export const demoPeople = {
  admin: { key: 'admin', name: 'Ada Admin', email: 'admin@demo.tessera' },
  curator: { key: 'curator', name: 'Carla Okonkwo', email: 'curator@demo.tessera' },
  researcher: { key: 'researcher', name: 'Ruben Lindqvist', email: 'researcher@demo.tessera' },
  worker1: { key: 'worker1', name: 'Wanda Silva', email: 'worker1@demo.tessera' },
  worker2: { key: 'worker2', name: 'Wen Zhao', email: 'worker2@demo.tessera' },
} as const satisfies Record<string, DemoPerson>;

export type DemoWorker = DemoPerson & {
  skill: Skill;
  secondsPerItem: number;
  /** Batches after which the worker only clicks through: what hidden checks are for. */
  tiresAfter?: number;
};

const careful: Skill = { recall: 0.95, specificity: 0.98, wobble: 0.02, careless: 0 };
const average: Skill = { recall: 0.88, specificity: 0.95, wobble: 0.05, careless: 0.04 };
export const sloppy: Skill = { recall: 0.7, specificity: 0.88, wobble: 0.1, careless: 0.25 };

/** The crowd of the demo: the two who can sign in and five who have already been at work. */
export const demoWorkers: DemoWorker[] = [
  { ...demoPeople.worker1, skill: careful, secondsPerItem: 34 },
  { ...demoPeople.worker2, skill: average, secondsPerItem: 29 },
  { key: 'w3', name: 'Iris Papadopoulou', email: 'w3@demo.tessera', skill: careful, secondsPerItem: 41 },
  {
    key: 'w4',
    name: 'Tomás Herrera',
    email: 'w4@demo.tessera',
    skill: average,
    secondsPerItem: 26,
    tiresAfter: 2,
  },
  { key: 'w5', name: 'Nadia Rahman', email: 'w5@demo.tessera', skill: average, secondsPerItem: 31 },
  { key: 'w6', name: 'Jonas Weber', email: 'w6@demo.tessera', skill: careful, secondsPerItem: 38 },
  { key: 'w7', name: 'Pavel Novák', email: 'w7@demo.tessera', skill: sloppy, secondsPerItem: 9 },
];
