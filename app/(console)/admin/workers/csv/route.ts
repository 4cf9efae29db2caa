import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { requireRight } from '@/lib/services/access/page';
import { listTrainers } from '@/lib/services/training/trainers/list-trainers';
import { gpuText, placeNames } from '../../labels';

const head = [
  'name',
  'where',
  'state',
  'run',
  'torch',
  'gpus',
  'processors',
  'memory GB',
  'last seen',
  'added',
];

async function* everyWorker() {
  for (const { name, kind, state, run, capabilities, seenAt, createdAt } of await listTrainers(database()))
    yield [
      name,
      placeNames[kind],
      state,
      run?.name ?? null,
      capabilities.torch ?? null,
      gpuText(capabilities.gpus ?? []),
      capabilities.processors ?? null,
      capabilities.memoryGb ?? null,
      seenAt,
      createdAt,
    ];
}

export async function GET(): Promise<Response> {
  await requireRight('trainers.manage');
  return csvResponse('workers', head, everyWorker());
}
