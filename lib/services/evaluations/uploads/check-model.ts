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
import { trialPictures } from '../../inference/runner/open-model';
import {
  inspectInChild,
  type Limits,
  startAutoencoder,
  startEmbedder,
  startModel,
} from '../../inference/runner/processes';
import { withBlobFiles } from '../open-model-runner';
import type { NewModel } from './model-upload';

export interface CheckedModel {
  lines: CheckLine[];
  /** Complete; null where the model was refused. */
  contract: Record<string, unknown> | null;
  /** Of an oracle: its words, a row for each class. */
  words: Float32Array[] | null;
}

/** Enough for a ResNet-152 on busy cores; slower models would take days for an evaluation. */
const TIMEOUT_MS = 60_000;

type Context = Pick<JobContext, 'db' | 'storage' | 'signal'>;

/**
 * Checks an untrusted model: its files are read and run in sandboxed child processes. `onLine` receives each result. A
 * failed check is a line, not an exception.
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
      const request = { kind, written, otherClasses, schema, files };
      const found = await inspectInChild(request, limits, signal);
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

/** Checked first, because the other checks take minutes. */
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
  const says = `The project already has a model "${name}". Choose another name.`;
  return { what: 'Name', says, state: 'refused' };
}

interface Tried {
  kind: Kind;
  files: Readonly<Record<'model' | 'gradient' | 'encoder', string | null>>;
  contract: Record<string, unknown>;
  words: Float32Array[] | null;
}

type Tell = (line: CheckLine) => Promise<void>;

/** Relative tolerance for different summation orders. */
const APART = 1e-3;

/** Runs a model on test pictures and returns contract fields that only a run can determine. */
async function probeInChild(
  { kind, files, contract, words }: Tried,
  limits: Limits,
  signal: AbortSignal,
  report: Tell,
): Promise<Record<string, unknown>> {
  const file = files.model ?? '';
  // Placeholders: only the length of the words and the file of the encoder matter here.
  const open = { ...contract, words: '', encoder: '' };
  if (kind === 'oracle') {
    await using embedder = await startEmbedder({ file, contract: open }, limits, signal);
    const rows = await requireRepeatableOutput(trialPictures(embedder), embedder.embed, report);
    const seen = new Set(rows.map((row) => classifyByEmbedding(row, words ?? [])));
    await report({
      what: 'Words',
      says: `Three test pictures are classified as ${seen.size === 1 ? 'one class' : `${seen.size} classes`}.`,
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
      says: `${places[0]?.length} numbers per picture; mean reconstruction error of test pictures ${worst.toFixed(2)}.`,
      // A large error indicates a wrong value range.
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
          says: 'Probabilities (they sum to 1). Their logarithms are used as logits.',
          state: 'note',
        }
      : { what: 'Numbers', says: 'Finite logits.', state: 'good' },
  );
  const [first] = rows;
  if (rows.every((row) => row.every((value, i) => value === first?.[i])))
    await report({
      what: 'Numbers',
      says: 'Identical outputs for a gray picture, a gradient and noise. Check that the configured input is the image.',
      state: 'note',
    });
  await report(describeFeatureMap(model));
  await report(
    model.gradient
      ? { what: 'Gradient', says: 'The gradient graph runs. Attacks use it.', state: 'good' }
      : {
          what: 'Gradient',
          says: 'No gradient graph. Attacks are score-based and robust accuracy is an upper bound.',
          state: 'note',
        },
  );
  return { outputKind: model.kind };
}

function describeFeatureMap({ map }: ModelRunner): CheckLine {
  const what = 'Saliency';
  if (!map)
    return {
      what,
      says: 'No feature map was detected. Saliency is computed by tile. Set featureTensor to change this.',
      state: 'note',
    };
  if (!hasFineCells(map))
    return {
      what,
      says: `The last feature map has ${map.width} × ${map.height} cells, too few for class maps. Saliency is computed by tile.`,
      state: 'note',
    };
  return { what, says: 'The last feature map was detected.', state: 'good' };
}

/** Requires that outputs are repeatable and independent of the batch, because rows are cached by input. */
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
      'The outputs differ between two runs on the same pictures. Export the model in evaluation mode, without dropout or noise.',
    );
  if (differs(rows[0], alone))
    throw invalid(
      'The output for a picture depends on the other pictures of the batch. Export the model in evaluation mode, with stored normalisation statistics.',
    );
  await report({
    what: 'Run',
    says: `Repeatable outputs; about ${each < 10 ? each.toFixed(1) : Math.round(each)} ms per picture on this machine.`,
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
