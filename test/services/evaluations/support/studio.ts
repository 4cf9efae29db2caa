import type { Database } from '@/db';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { NewEvaluation } from '@/lib/services/evaluations/evaluation-request';
import { getEvaluation } from '@/lib/services/evaluations/list-evaluations';
import { runEvaluation } from '@/lib/services/evaluations/run-evaluation';
import { startEvaluation } from '@/lib/services/evaluations/start-evaluation';
import { putBlob, storage } from '@/lib/services/storage';
import { labelledProject, patiently } from '../../../support/labelled-project';
import { jobIn } from '../../curation/audit/rated';
import { brightContract, brightParts } from '../../training/loop-model';

const actor = systemActor('Test');
const CLASSES = ['Aeroplane', 'Bird'];

/** A project with a frozen version and models that look at how bright a picture is. */
export async function studio(db: Database, slug: string, count = 12) {
  const { projectId } = await labelledProject(db, { preset: 'part-imagenet', slug, count, classes: CLASSES });
  const freeze = () => freezeVersion(patiently(db), actor, { projectId, request: FreezeRequest.parse({}) });
  await freeze();
  const addModel = async (name: string, onnx = brightParts()) => {
    const { sha256 } = await putBlob(db, storage(), onnx, { mediaType: 'application/octet-stream' });
    const id = newId();
    const contract = { ...brightContract, classes: CLASSES, parts: [], maskValues: [] };
    await db.insert(tables.models).values({ id, projectId, name, blob: sha256, contract });
    return id;
  };
  const asked = (wanted: Partial<NewEvaluation> & { model: string }) =>
    NewEvaluation.parse({ version: 'latest', split: 'train', ...wanted });
  const evaluate = async (wanted: Partial<NewEvaluation> & { model: string }) => {
    const { id } = await startEvaluation(db, actor, { projectId, evaluation: asked(wanted) });
    await runEvaluation({ ...jobIn(db), storage: storage() }, { evaluationId: id });
    return getEvaluation(db, { projectId, evaluationId: id });
  };
  return { projectId, addModel, asked, evaluate, freeze };
}
