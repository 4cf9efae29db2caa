import { eq } from 'drizzle-orm';
import { tables } from '@/db';
import { invalid, TesseraError } from '@/lib/core/errors';
import { classifyByEmbedding } from '@/lib/core/robustness/fmr/oracles';
import {
  type CheckLine,
  findRefusal,
  type Kind,
  type SchemaClass,
} from '@/lib/core/robustness/onnx/inspect-model';
import type { Picture } from '@/lib/core/robustness/picture';
import { hasFineCells } from '@/lib/core/robustness/saliency/compute-saliency';
import type { ModelRunner } from '@/lib/core/robustness/types';
import type { JobContext } from '@/lib/services/jobs';
import { getProject } from '@/lib/services/projects';
import { withBlobFiles } from '../open-model-runner';
import { trialPictures } from '../runner/open-model';
import {
  inspectInChild,
  type Limits,
  startAutoencoder,
  startEmbedder,
  startModel,
} from '../runner/processes';
import type { NewModel } from './model-upload';

export interface CheckedModel {
  lines: CheckLine[];
  /** Complete; null where the model was refused. */
  contract: Record<string, unknown> | null;
  /** Of an oracle: its words, a row for each class. */
  words: Float32Array[] | null;
}

/** Enough for a ResNet-152 on crowded cores; who takes longer for three pictures takes days for an evaluation. */
const TIMEOUT_MS = 60_000;

type Context = Pick<JobContext, 'db' | 'storage' | 'signal'>;

/**
 * Looks at a model from elsewhere as nobody trusts it: its files are read and run in processes of their own. `told` hears
 * of each line as soon as it is known. What is wrong is a line and no failure.
 */
export async function checkModel(
  { db, storage, signal }: Context,
  { projectId, model }: { projectId: string; model: NewModel },
  onLine: (line: CheckLine) => Promise<void> = async () => {},
  { timeoutMs = TIMEOUT_MS, ...bounds }: Limits = {},
): Promise<CheckedModel> {
  const limits = { timeoutMs, ...bounds };
  const lines: CheckLine[] = [];
  const report = async (line: CheckLine) => {
    lines.push(line);
    await onLine(line);
  };
  const refused = (): CheckedModel => ({ lines, contract: null, words: null });
  const taken = await checkName(db, projectId, model);
  if (taken) await report(taken);
  if (taken) return refused();
  const { model: file, gradient = null, words = null, encoder = null } = model.files;
  return withBlobFiles(storage, { model: file, gradient, words, encoder }, async (files) => {
    try {
      const { kind, contract: written, otherClasses } = model;
      const schema = await classesOf(db, projectId);
      const asked = { kind, written, otherClasses, schema, files };
      const found = await inspectInChild(asked, limits, signal);
      for (const line of found.lines) await report(line);
      if (!found.contract || findRefusal(found.lines)) return refused();
      const tried = await probeInChild(
        { kind, files, contract: found.contract, words: found.words },
        limits,
        signal,
        report,
      );
      return { lines, contract: { ...found.contract, ...tried }, words: found.words };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TesseraError)) throw error;
      await report({ what: 'Run', says: error.message, state: 'refused' });
      return refused();
    }
  });
}

async function classesOf(db: Context['db'], projectId: string): Promise<SchemaClass[]> {
  const { schema } = await getProject(db, projectId);
  return (schema?.classes ?? []).map(({ id, name }) => ({ id, name }));
}

/** Known at once, and not after minutes of trying. */
async function checkName(
  db: Context['db'],
  projectId: string,
  { name }: NewModel,
): Promise<CheckLine | null> {
  const known = await db
    .select({ name: tables.models.name })
    .from(tables.models)
    .where(eq(tables.models.projectId, projectId));
  if (!known.some((other) => other.name === name)) return null;
  const says = `There is a model "${name}" in this project. Give it another name.`;
  return { what: 'Name', says, state: 'refused' };
}

interface Tried {
  kind: Kind;
  files: Readonly<Record<'model' | 'gradient' | 'encoder', string | null>>;
  contract: Record<string, unknown>;
  words: Float32Array[] | null;
}

type Tell = (line: CheckLine) => Promise<void>;

/** What the same picture may be answered apart from itself: sums in another order, nothing else. */
const APART = 1e-3;

/** Runs a model on a few pictures as an evaluation will. Gives what only a run can tell of its contract. */
async function probeInChild(
  { kind, files, contract, words }: Tried,
  limits: Limits,
  signal: AbortSignal,
  report: Tell,
): Promise<Record<string, unknown>> {
  const file = files.model ?? '';
  // Never kept: of the words only the length matters here, and of the encoder the file.
  const open = { ...contract, words: '', encoder: '' };
  if (kind === 'oracle') {
    await using embedder = await startEmbedder({ file, contract: open }, limits, signal);
    const rows = await requireRepeatableOutput(trialPictures(embedder), embedder.embed, report);
    const seen = new Set(rows.map((row) => classifyByEmbedding(row, words ?? [])));
    await report({
      what: 'Words',
      says: `Three plain pictures are taken for ${seen.size === 1 ? 'one class' : `${seen.size} classes`}.`,
      state: 'good',
    });
    return {};
  }
  if (kind === 'decoder') {
    const source = { file, encoderFile: files.encoder, contract: open };
    await using autoencoder = await startAutoencoder(source, limits, signal);
    const pictures = trialPictures(autoencoder);
    const places = await requireRepeatableOutput(pictures, autoencoder.encode, report);
    const rebuilt = await autoencoder.decode(places);
    const off = rebuilt.map((picture, i) => meanAbsoluteDifference(picture, pictures[i] as Picture));
    const worst = Math.max(...off);
    await report({
      what: 'There and back',
      says: `${places[0]?.length} numbers for a picture; plain pictures come back within ${worst.toFixed(2)} of the range on average.`,
      // A grey picture that comes back half white was read in another range.
      state: worst > 0.35 ? 'note' : 'good',
    });
    return {};
  }
  const source = { file, gradientFile: files.gradient, contract };
  await using model = await startModel(source, limits, signal);
  const rows = await requireRepeatableOutput(
    trialPictures(model),
    (pictures) => model.logits(pictures),
    report,
  );
  await report(
    model.kind === 'probs'
      ? {
          what: 'Numbers',
          says: 'Probabilities: they add up to 1. They are used by their logarithm, which ranks and compares as logits do.',
          state: 'note',
        }
      : { what: 'Numbers', says: 'Finite, and no probabilities: logits.', state: 'good' },
  );
  const [first] = rows;
  if (rows.every((row) => row.every((value, i) => value === first?.[i])))
    await report({
      what: 'Numbers',
      says: 'It says the same about a grey picture, a slope and noise. Check that the input is the picture.',
      state: 'note',
    });
  await report(describeFeatureMap(model));
  await report(
    model.gradient
      ? { what: 'Gradient', says: 'Its gradient graph runs: attacks use it.', state: 'good' }
      : {
          what: 'Gradient',
          says: 'None came with it: attacks use its scores, and their results are upper bounds.',
          state: 'note',
        },
  );
  return { outputKind: model.kind };
}

function describeFeatureMap({ map }: ModelRunner): CheckLine {
  const what = 'Where it looks';
  if (!map)
    return {
      what,
      says: 'No map of features was found: where it looks is told tile by tile. Name featureTensor to change that.',
      state: 'note',
    };
  if (!hasFineCells(map))
    return {
      what,
      says: `Its last map of features has ${map.width} × ${map.height} cells, too few for class maps: where it looks is told tile by tile.`,
      state: 'note',
    };
  return { what, says: 'Its last map of features was found.', state: 'good' };
}

/** Asked twice, together and alone: rows are kept by what was asked, so nothing else may decide about the answer. */
async function requireRepeatableOutput(
  pictures: readonly Picture[],
  ask: (pictures: readonly Picture[]) => Promise<Float32Array[]>,
  report: Tell,
): Promise<Float32Array[]> {
  const rows = await ask(pictures);
  const began = performance.now();
  const again = await ask(pictures);
  const each = (performance.now() - began) / pictures.length;
  const [alone] = await ask(pictures.slice(0, 1));
  const most = Math.max(1, ...rows.flatMap((row) => [...row].map(Math.abs)));
  const differs = (a: Float32Array | undefined, b: Float32Array | undefined) =>
    a?.some((value, i) => Math.abs(value - (b?.[i] as number)) > APART * most) ?? true;
  if (rows.some((row, i) => differs(row, again[i])))
    throw invalid(
      'It gives other numbers when it is asked the same again. Export it in evaluation mode: no dropout, no noise.',
    );
  if (differs(rows[0], alone))
    throw invalid(
      'What it says about a picture depends on the others in the batch. Export it in evaluation mode: normalisation by stored statistics.',
    );
  await report({
    what: 'Run',
    says: `Runs, the same every time; about ${each < 10 ? each.toFixed(1) : Math.round(each)} ms for a picture here.`,
    state: 'good',
  });
  return rows;
}

function meanAbsoluteDifference(a: Picture, b: Picture): number {
  let sum = 0;
  a.data.forEach((value, i) => {
    sum += Math.abs(value - (b.data[i] as number));
  });
  return sum / a.data.length;
}
