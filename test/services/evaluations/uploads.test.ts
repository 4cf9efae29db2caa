import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { startProjectEvaluation } from '@/app/api/v1/evaluations';
import { addProjectModel, listProjectModels, sendModelFile } from '@/app/api/v1/models';
import { newId, tables } from '@/db';
import { findRefusal } from '@/lib/core/robustness/onnx/inspect-model';
import type { UserActor } from '@/lib/services/access';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { createOracleStage } from '@/lib/services/evaluations/crowd/oracle-stage';
import { getEvaluation } from '@/lib/services/evaluations/list-evaluations';
import { runEvaluation } from '@/lib/services/evaluations/run-evaluation';
import { type AddModelInput, addModel } from '@/lib/services/evaluations/uploads/add-model';
import { checkModel } from '@/lib/services/evaluations/uploads/check-model';
import {
  createReceipt,
  NewModel,
  storeModelFile,
  verifyReceipt,
} from '@/lib/services/evaluations/uploads/model-upload';
import type { Limits } from '@/lib/services/inference/runner/processes';
import { storage } from '@/lib/services/storage';
import { changeModel, getModel } from '@/lib/services/training/models';
import { call, origin, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { runTessera } from '../../support/instance';
import { labelledProject, patiently } from '../../support/labelled-project';
import { SIDE, tinyClassifier } from '../../support/tiny-classifier';
import { type TinyNode, tinyOnnx } from '../../support/tiny-onnx';
import { join, keyOf, person } from '../access/people';
import { jobIn } from '../curation/audit/rated';
import { largeDecoder, meanEncoder, smallEncoder } from './models';

const home = useHome();
const db = useDatabase();
const CLASSES = ['Aeroplane', 'Bird'];
const SLUG = 'uploads';
const colours = { mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] };
const tiny = tinyClassifier({ classes: 2 });

let projectId: string;
let rhea: UserActor;
let headers: Record<string, string>;

beforeAll(async () => {
  ({ projectId } = await labelledProject(db(), {
    preset: 'part-imagenet',
    slug: SLUG,
    count: 12,
    classes: CLASSES,
  }));
  rhea = await person(db(), 'Rhea');
  await join(db(), rhea, projectId, 'researcher');
  await freezeVersion(patiently(db()), rhea, { projectId, request: FreezeRequest.parse({}) });
  headers = withKey(await keyOf(db(), rhea, 'read', 'runs:write'));
});

const job = () => ({ ...jobIn(db()), storage: storage() });

/** Sends bytes as a script would. */
async function send(bytes: Uint8Array, more: Record<string, string> = {}) {
  const reply = await sendModelFile.handle(
    new Request(`${origin}/api/v1/projects/${SLUG}/model-files`, {
      method: 'POST',
      headers: { ...headers, ...more, 'content-type': 'application/octet-stream' },
      body: Buffer.from(bytes),
    }),
    { project: SLUG },
  );
  return { status: reply.status, json: (await reply.json()) as { receipt: string; detail: string } };
}

/** What a worker does with the job of a request. */
async function work(jobId: string) {
  const { rows } = await db().execute<{ data: AddModelInput }>(
    sql`select data from pgboss.job where id = ${jobId}`,
  );
  return addModel(job(), rows[0]?.data as AddModelInput);
}

async function add(name: string, kind: string, files: Record<string, Uint8Array>, contract: object) {
  const receipts: Record<string, string> = {};
  for (const [what, bytes] of Object.entries(files)) receipts[what] = (await send(bytes)).json.receipt;
  const body = { name, kind, files: receipts, contract, otherClasses: true };
  const { json } = await call(addProjectModel, { headers, params: { project: SLUG }, body });
  return (await work(json.jobId)).modelId ?? '';
}

async function evaluate(asked: object) {
  const body = { version: 'latest', split: 'train', ...asked };
  const { status, json } = await call(startProjectEvaluation, { headers, params: { project: SLUG }, body });
  if (status !== 200) throw new Error(json.detail);
  await runEvaluation(job(), { evaluationId: json.id });
  return getEvaluation(db(), { projectId, evaluationId: json.id });
}

/** Three commands, each of which begins a process of its own. */
const SHELL_MS = 300_000;

describe('a researcher uploads a classifier', () => {
  it('sees what was found, enters it, and evaluates it as one that was trained here', async () => {
    const { json: sent } = await send(tiny.onnx);
    const { json: gradient } = await send(tiny.gradient);
    const body = {
      name: 'From elsewhere',
      files: { model: sent.receipt, gradient: gradient.receipt },
      contract: { classes: ['aeroplane', 'bird'], input: colours },
      otherClasses: true,
    };
    const ask = (onlyCheck: boolean) =>
      call(addProjectModel, { headers, params: { project: SLUG }, body: { ...body, onlyCheck } });
    const looked = await work((await ask(true)).json.jobId);
    expect(looked).toMatchObject({ isGood: true, modelId: null });
    expect(looked.lines.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['File', 'Input', 'Classes', 'Output', 'Run', 'Numbers', 'Gradient']),
    );
    const { jobId } = (await ask(false)).json;
    const { modelId } = await work(jobId);
    // A job that is done twice enters it once.
    expect(await work(jobId)).toMatchObject({ modelId });
    expect((await work((await ask(true)).json.jobId)).lines.at(-1)).toMatchObject({
      what: 'Name',
      says: 'The project already has a model "From elsewhere". Choose another name.',
    });
    const { json: list } = await call(listProjectModels, { headers, params: { project: SLUG } });
    expect(list.items).toHaveLength(1);
    expect(list.items[0]).toMatchObject({ id: modelId, kind: 'classifier', runId: null, by: 'Rhea' });
    const { state, metrics } = await evaluate({ model: modelId, suite: 'noise' });
    expect(state).toBe('done');
    expect(metrics?.offers).toMatchObject({ gradient: true });
    expect(metrics?.findings.find(({ id }) => id === 'clean-accuracy')?.n).toBeGreaterThan(3);
    const [entry] = await db().select().from(tables.auditLog).where(eq(tables.auditLog.verb, 'model.upload'));
    expect(entry).toMatchObject({ subjectId: modelId, actorId: rhea.userId, projectId });
    await changeModel(db(), rhea, { projectId, modelId: modelId ?? '', state: 'archived' });
    expect((await getModel(db(), { projectId, modelId: modelId ?? '' })).state).toBe('archived');
  });

  it('names files by receipts of this project that are not old, and nothing else', async () => {
    const { sha256 } = await storeModelFile(db(), storage(), tiny.onnx);
    const [own, other] = [createReceipt(projectId, sha256), createReceipt(newId(), sha256)];
    expect(verifyReceipt(projectId, own)).toBe(sha256);
    for (const receipt of [sha256, other, `${own}x`, own.replace(/\.\d+\./, '.9999999999.')])
      expect(() => verifyReceipt(projectId, receipt)).toThrow(/Upload the file again/);
    // As many characters as the right one has, and more bytes: the comparison must not throw.
    const signed = own.slice(own.lastIndexOf('.') + 1);
    for (const letter of ['é', '犬', '\u{1f600}', '\ud800'])
      expect(() => verifyReceipt(projectId, own.replace(signed, letter.repeat(signed.length)))).toThrow(
        /Upload the file again/,
      );
    const later = new Date(Date.now() + 13 * 60 * 60 * 1000);
    expect(() => verifyReceipt(projectId, own, later)).toThrow(/twelve hours/);
    const body = { name: 'Theirs', files: { model: other }, contract: { classes: CLASSES } };
    const { status } = await call(addProjectModel, { headers, params: { project: SLUG }, body });
    expect(status).toBe(400);
  });

  it('is told of two gigabytes before they are read, and of nothing', async () => {
    const large = await send(new Uint8Array(8), { 'content-length': String(2 ** 31) });
    expect([large.status, large.json.detail]).toEqual([
      413,
      expect.stringMatching(/2048 MB.*at most 512 MB/),
    ]);
    expect((await send(new Uint8Array())).status).toBe(400);
  });

  const shell = () => ({
    TESSERA_HOME: home(),
    DATABASE_URL: process.env.DATABASE_URL ?? '',
    TESSERA_SECRET: process.env.TESSERA_SECRET ?? '',
  });

  it(
    'does the same from a shell',
    async () => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-model-'));
      const file = path.join(folder, 'by hand.onnx');
      const env = shell();
      try {
        await writeFile(file, tiny.onnx);
        const asked = [
          'model',
          'add',
          file,
          '--project',
          SLUG,
          '--mean',
          'imagenet',
          '--std',
          'imagenet',
          '--json',
        ];
        const wrong = await runTessera([...asked, '--classes', 'Aeroplane,Birb'], env);
        expect(wrong.code).toBe(1);
        expect(wrong.output).toContain('Not in the schema: Birb.');
        const right = await runTessera([...asked, '--classes', 'Aeroplane,Bird'], env);
        expect(right.output).toContain('"isGood": true');
        expect(right.code).toBe(0);
      } finally {
        await rm(folder, { recursive: true });
      }
      const [model] = await db().select().from(tables.models).where(eq(tables.models.name, 'by hand'));
      expect(model?.contract).toMatchObject({ classes: CLASSES, input: { mean: [0.485, 0.456, 0.406] } });
      const evaluate = ['evaluate', '--project', SLUG, '--model', 'by hand', '--version', 'latest', '--json'];
      const small = ['--suite', 'saliency', '--preset', 'quick', '--split', 'train', '--images', '4'];
      const { code, output } = await runTessera([...evaluate, ...small], shell());
      expect(code).toBe(0);
      // What is logged stands around it, each on a line.
      const said = JSON.parse(output.slice(output.indexOf('{\n'), output.lastIndexOf('\n}') + 2));
      expect(said).toMatchObject({ state: 'done', suite: 'saliency', preset: 'quick', version: 1 });
      expect(said.metrics.findings.map(({ id }: { id: string }) => id)).toContain('saliency-iou');
    },
    SHELL_MS,
  );

  it(
    'has people judge from a shell: by the name of their stage, and not by one that is not there',
    async () => {
      const modelId = await add(
        'Judged',
        'classifier',
        { model: tiny.onnx },
        { classes: CLASSES, input: colours },
      );
      const curator = await person(db(), 'Cora');
      await join(db(), curator, projectId, 'curator');
      const { id: stageId } = await createOracleStage(db(), curator, {
        projectId,
        stage: { name: 'What is it', people: 3, batch: 50, payMicro: 200_000 },
      });
      const asked = ['evaluate', '--project', SLUG, '--model', modelId, '--suite', 'fmr', '--split', 'train'];
      const nowhere = await runTessera([...asked, '--crowd', 'Nowhere', '--plan'], shell());
      expect(nowhere.output).toContain('--crowd: there is no stage "Nowhere" in which evaluations ask.');
      expect(nowhere.code).not.toBe(0);
      const { code, output } = await runTessera(
        [...asked, '--images', '4', '--crowd', 'What is it', '--detach', '--json'],
        shell(),
      );
      expect([output, code]).toEqual([expect.stringContaining('"id"'), 0]);
      const said = JSON.parse(output.slice(output.indexOf('{\n'), output.lastIndexOf('\n}') + 2));
      const found = await getEvaluation(db(), { projectId, evaluationId: said.id });
      expect(found).toMatchObject({ suite: 'fmr', options: { crowd: stageId, oracle: [], images: 4 } });
    },
    SHELL_MS,
  );
});

describe('a model that cannot be relied on is refused when it is run', () => {
  const classifier = (nodes: TinyNode[]) =>
    tinyOnnx({
      inputs: { image: ['n', 3, SIDE, SIDE] },
      outputs: { logits: ['n', 2] },
      weights: { w: { dims: [3, 2], values: [1, -1, 0.5, 1, -0.5, 0.3] } },
      nodes: [
        {
          op: 'ReduceMean',
          inputs: ['image'],
          outputs: ['mean'],
          ints: { axes: [2, 3] },
          int: { keepdims: 0 },
        },
        { op: 'MatMul', inputs: ['mean', 'w'], outputs: ['scores'] },
        ...nodes,
      ],
    });

  async function look(onnx: Uint8Array, limits: Limits = {}) {
    const { sha256 } = await storeModelFile(db(), storage(), Buffer.from(onnx));
    const contract = { classes: CLASSES, input: colours };
    const model = NewModel.parse({ name: newId(), files: { model: sha256 }, contract, otherClasses: true });
    return checkModel(job(), { projectId, model }, undefined, limits);
  }

  it.each<[string, TinyNode[], RegExp]>([
    [
      'NaN',
      [
        { op: 'Abs', inputs: ['scores'], outputs: ['a'] },
        { op: 'Neg', inputs: ['a'], outputs: ['b'] },
        { op: 'Log', inputs: ['b'], outputs: ['logits'] },
      ],
      /NaN or infinite/,
    ],
    [
      'numbers by chance',
      [
        { op: 'RandomUniformLike', inputs: ['scores'], outputs: ['chance'] },
        { op: 'Add', inputs: ['scores', 'chance'], outputs: ['logits'] },
      ],
      /evaluation mode, without dropout/,
    ],
    [
      'numbers that depend on the batch',
      [
        { op: 'ReduceMean', inputs: ['scores'], outputs: ['all'], ints: { axes: [0] } },
        { op: 'Sub', inputs: ['scores', 'all'], outputs: ['logits'] },
      ],
      /depends on the other pictures of the batch/,
    ],
  ])('%s', async (_, nodes, says) => {
    const { lines, contract } = await look(classifier(nodes));
    expect(contract).toBeNull();
    expect(findRefusal(lines)?.says).toMatch(says);
  });

  it('one that takes too long, and one whose process ends', async () => {
    const plain = classifier([{ op: 'Identity', inputs: ['scores'], outputs: ['logits'] }]);
    expect(findRefusal((await look(plain, { timeoutMs: 1 })).lines)?.says).toMatch(
      /did not reply within 0 s/,
    );
    expect(findRefusal((await look(plain, { memoryMb: 1 })).lines)?.says).toMatch(/process ended/);
  });

  it('but not probabilities instead of logits: they are used by their logarithm', async () => {
    const { lines, contract } = await look(tiny.probabilities);
    expect(contract).toMatchObject({ outputKind: 'probs' });
    expect(lines.find(({ says }) => says.startsWith('Probabilities'))).toMatchObject({ state: 'note' });
  });
});

describe('what helps to evaluate', () => {
  const words = [
    [1, 0.1, 0],
    [0, 0.1, 1],
  ];

  it('an oracle judges by embeddings, a decoder draws, and neither is a classifier', async () => {
    const model = await add(
      'Driven',
      'classifier',
      { model: tiny.onnx },
      { classes: CLASSES, input: colours },
    );
    const oracle = await add(
      'Words',
      'oracle',
      { model: meanEncoder(24), words: Buffer.from(JSON.stringify(words)) },
      { classes: CLASSES },
    );
    const decoder = await add(
      'Drawing',
      'decoder',
      { model: largeDecoder(24), encoder: smallEncoder(24) },
      { step: 0.2 },
    );
    const fmr = { model, suite: 'fmr', oracle: [oracle], images: 4 };
    const small = await evaluate(fmr);
    const drawn = await evaluate({ ...fmr, generator: decoder });
    for (const { metrics } of [small, drawn])
      expect(metrics?.findings.find(({ id }) => id === 'fmr-oracle-agreement')?.n).toBeGreaterThan(0);
    expect(drawn.metrics?.notes.join(' ')).toContain('The decoder alone:');
    expect(drawn.options.generator).toBe(decoder);
    // Pictures by chance and as they are do not depend on the decoder; the walk and what it draws by itself do.
    const images = drawn.metrics?.images ?? 0;
    expect(drawn.metrics?.made).toBe(2 * images);
    expect((await evaluate({ ...fmr, generator: decoder })).metrics?.made).toBe(0);
    expect((await evaluate({ ...fmr, generator: 'squares' })).metrics?.made).toBe(images);
    // Nearer by a margin that it never has: it cannot tell, and nothing is validated.
    const unsure = await add(
      'Unsure',
      'oracle',
      { model: meanEncoder(24), words: Buffer.from(JSON.stringify(words)) },
      { classes: CLASSES, margin: 2 },
    );
    const nothing = await evaluate({ ...fmr, oracle: [unsure] });
    expect(nothing.metrics?.findings.find(({ id }) => id === 'fmr-validation-rate')?.value).toBe(0);
    for (const [asked, says] of [
      [{ model: oracle }, /"Words" is an oracle and cannot be evaluated/],
      [{ model: decoder }, /"Drawing" is a decoder and cannot be evaluated/],
      [{ ...fmr, oracle: [decoder] }, /"Drawing" is a decoder and cannot be an oracle/],
      [{ ...fmr, generator: oracle }, /"Words" is not a decoder/],
      [{ ...fmr, generator: newId() }, /not a model of this project/],
    ] as const)
      await expect(evaluate(asked)).rejects.toThrow(says);
    for (const modelId of [oracle, decoder])
      await expect(changeModel(db(), rhea, { projectId, modelId, state: 'promoted' })).rejects.toThrow(
        /only a classifier can be promoted/,
      );
  });
});
