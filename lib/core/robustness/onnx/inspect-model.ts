import { invalid, TesseraError } from '@/lib/core/errors';
import { readWordEmbeddings } from '../fmr/oracles';
import {
  checkContract,
  checkInput,
  checkWeights,
  completeInput,
  completeOutput,
  formatShape,
} from './check-contract';
import { checkDecoder, checkOracle, DEFAULT_STEP, latentInput, readDecoder } from './companion-contracts';
import { type PictureInput, readContract, requireUnique, type WrittenContract } from './contract';
import { type FileFacts, fedInputs, type OnnxModel, readFileFacts, readModel } from './read-model';

export type Kind = 'classifier' | 'decoder' | 'oracle';

export interface InspectionInput {
  kind: Kind;
  written: WrittenContract;
  schema: readonly SchemaClass[];
  /** Classes can differ from the schema. */
  otherClasses: boolean;
  /** By role: `model`, `encoder`, `words`. */
  files: Readonly<Record<string, Uint8Array | undefined>>;
}

export interface Inspection {
  lines: CheckLine[];
  /** Complete contract without hashes of additional files; null if the file was rejected. */
  contract: Record<string, unknown> | null;
  /** Of an oracle: a row for each class. */
  words: Float32Array[] | null;
}

/** Checks an uploaded file against its contract without running it. */
export function inspectModel(given: InspectionInput): Inspection {
  const lines = new CheckLines();
  try {
    return { lines: lines.all, words: null, ...inspectors[given.kind](given, lines) };
  } catch (error) {
    if (error instanceof Refused) return { lines: lines.all, contract: null, words: null };
    throw error;
  }
}

type Found = Pick<Inspection, 'contract'> & Partial<Inspection>;

const inspectors: Record<Kind, (given: InspectionInput, lines: CheckLines) => Found> = {
  classifier({ written, files, schema, otherClasses }, lines) {
    const { model, facts } = readFile(lines, 'File', files.model);
    const input = inputOf(lines, model, written);
    const classes = classesOf(lines, written, schema, otherClasses);
    const contract = lines.step('Output', () => {
      const logits = completeOutput(model, 'logits', written.outputs.logits);
      const complete = readContract({ ...written, input, classes, outputs: { ...written.outputs, logits } });
      checkContract(model, complete);
      return complete;
    });
    lines.good('Output', `"${contract.outputs.logits}", a number for each of ${classes.length} classes.`);
    const { parts, maskValues } = written;
    return {
      contract: { ...described(contract, facts), ...(parts && { parts }), ...(maskValues && { maskValues }) },
    };
  },

  oracle({ written, files, schema, otherClasses }, lines) {
    const { model, facts } = readFile(lines, 'File', files.model);
    const input = inputOf(lines, model, written);
    const classes = classesOf(lines, written, schema, otherClasses);
    const words = lines.step('Words', () => {
      if (!files.words)
        throw invalid(
          'An oracle needs an embedding of each class’s name: a .npy or JSON file made by the text half of the network.',
        );
      return readWordEmbeddings(files.words, written.classes ?? []);
    });
    const length = words[0]?.length ?? 0;
    lines.good('Words', `${words.length} embeddings of ${length} numbers.`);
    const outputs = lines.step('Output', () => {
      const embedding = completeOutput(model, 'embedding', written.outputs.embedding);
      checkOracle(model, { input, outputs: { embedding }, length });
      return { embedding };
    });
    lines.good('Output', `"${outputs.embedding}", an embedding of ${length} numbers.`);
    const contract = { input, outputs, classes, length, margin: written.margin ?? 0 };
    return { contract: described(contract, facts), words };
  },

  decoder({ written, files }, lines) {
    const { model, facts } = readFile(lines, 'Decoder', files.model);
    if (!files.encoder)
      throw lines.refused(
        'Encoder',
        invalid(
          'A decoder needs the encoder that finds a picture’s place: upload both halves of the network.',
        ),
      );
    const encoder = readFile(lines, 'Encoder', files.encoder);
    const input = inputOf(lines, encoder.model, written);
    const contract = lines.step('Place', () => {
      const outputs = {
        latent: completeOutput(encoder.model, 'latent', written.outputs.latent),
        picture: completeOutput(model, 'picture', written.outputs.picture),
      };
      const latent = latentInput(model, written.latent).name;
      checkDecoder(model, encoder.model, { input, outputs, latent });
      const { range = [0, 1], step = DEFAULT_STEP } = written;
      return readDecoder({ input, outputs, latent, range, step, encoder: '' });
    });
    lines.good(
      'Place',
      `From "${contract.outputs.latent}" of the encoder to "${contract.latent}" of the decoder.`,
    );
    return { contract: described(contract, facts) };
  },
};

function readFile(lines: CheckLines, what: string, bytes: Uint8Array | undefined) {
  const model = lines.step(what, () => readModel(bytes ?? new Uint8Array()));
  const facts = readFileFacts(model);
  lines.step('Weights', () => checkWeights(model));
  const formatShape = (facts.bytes / 2 ** 20).toFixed(1);
  lines.good(
    what,
    `ONNX, opset ${facts.opset ?? 'not said'}, ${facts.parameters.toLocaleString('en')} weights, all in the file, ${formatShape} MB.`,
  );
  return { model, facts };
}

function inputOf(lines: CheckLines, model: OnnxModel, written: WrittenContract): PictureInput {
  const input = lines.step('Input', () => {
    const complete = completeInput(model, written.input);
    checkInput(model, complete);
    return complete;
  });
  const shape = fedInputs(model).find(({ name }) => name === input.name)?.shape;
  lines.good(
    'Input',
    `"${input.name}" ${shape ? formatShape(shape) : 'of any sides'}, ${input.layout}, ${input.channels}, shown ${input.width} × ${input.height} pixels.`,
  );
  const isPlain = input.mean.every((value) => value === 0) && input.std.every((value) => value === 1);
  if (isPlain)
    lines.note(
      'Colours',
      'From 0 to 1 as they are. Most networks were trained on normalised ones: give mean and std unless the graph normalises.',
    );
  else lines.good('Colours', `Minus ${input.mean.join(', ')}, divided by ${input.std.join(', ')}.`);
  return input;
}

function classesOf(
  lines: CheckLines,
  { classes }: WrittenContract,
  schema: readonly SchemaClass[],
  mayDiffer: boolean,
): string[] {
  const found = lines.step('Classes', () => {
    if (!classes) throw invalid('The classes are missing. List them in the order of the outputs.');
    return matchClasses(classes, schema, { mayDiffer });
  });
  const { unknown, missing, renamed } = found;
  if (renamed.length > 0) lines.note('Classes', `Read as the schema names them: ${joinSome(renamed)}.`);
  if (unknown.length > 0) lines.note('Classes', `Not in the schema, never right: ${joinSome(unknown)}.`);
  if (missing.length > 0)
    lines.note('Classes', `Not in the model, their images are left out: ${joinSome(missing)}.`);
  lines.good(
    'Classes',
    `${found.classes.length}, of them ${found.classes.length - unknown.length} of the schema.`,
  );
  return found.classes;
}

/** With what pages show of a file. */
const described = (
  contract: Record<string, unknown> & { input: PictureInput },
  { parameters, ...file }: FileFacts,
): Record<string, unknown> => ({
  ...contract,
  input: { ...contract.input, type: 'float32', range: [0, 1] },
  file,
  parameters,
});

export interface SchemaClass {
  id: string;
  name: string;
}

interface MatchedClasses {
  /** As the schema names them, where it knows them. */
  classes: string[];
  /** Read as a class of the schema although written in another way. */
  renamed: string[];
  /** Of the model, which the schema does not know; and of the schema, which the model does not know. */
  unknown: string[];
  missing: string[];
}

const MAX_LISTED = 12;

/**
 * Maps the classes of a model to schema ids by id or name, ignoring case. Unmatched classes on both sides usually indicate
 * different spelling and are rejected unless `mayDiffer` is set.
 */
function matchClasses(
  written: readonly string[],
  schema: readonly SchemaClass[],
  { mayDiffer }: { mayDiffer: boolean },
): MatchedClasses {
  const ids = new Set(schema.map(({ id }) => id));
  const alike = new Map<string, string>();
  for (const { id, name } of schema) for (const way of [name, id]) alike.set(plain(way), id);
  const classes = written.map((given) => (ids.has(given) ? given : (alike.get(plain(given)) ?? given)));
  requireUnique(classes);
  const known = new Set(classes);
  const matched = {
    classes,
    renamed: written.flatMap((given, i) => (given === classes[i] ? [] : [`${given} → ${classes[i]}`])),
    unknown: classes.filter((each) => !ids.has(each)),
    missing: schema.flatMap(({ id }) => (known.has(id) ? [] : [id])),
  };
  if (matched.unknown.length === classes.length)
    throw invalid(
      `None of the ${classes.length} model classes is in the schema. Model: ${joinSome(matched.unknown)}; schema: ${joinSome(schema.map(({ id }) => id))}. Use the class names of the schema, in the order of the outputs.`,
    );
  if (matched.unknown.length > 0 && matched.missing.length > 0 && !mayDiffer)
    throw invalid(
      `The model classes do not match the schema. Not in the schema: ${joinSome(matched.unknown)}. Not in the model: ${joinSome(matched.missing)}. Use the class names of the schema, or confirm that the classes differ: then only images of common classes are evaluated.`,
    );
  return matched;
}

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

const joinSome = (names: readonly string[]): string =>
  names.length <= MAX_LISTED
    ? names.join(', ')
    : `${names.slice(0, MAX_LISTED).join(', ')} and ${names.length - MAX_LISTED} more`;

/** One check of an uploaded model. */
export interface CheckLine {
  /** Name of the check: Input, Classes … */
  what: string;
  says: string;
  /** A note does not prevent registration. */
  state: 'good' | 'note' | 'refused';
}

/** Collects the results of checks. The first failure ends the inspection. */
class CheckLines {
  readonly all: CheckLine[] = [];

  good(what: string, says: string): void {
    this.all.push({ what, says, state: 'good' });
  }

  note(what: string, says: string): void {
    this.all.push({ what, says, state: 'note' });
  }

  /** Runs a check; a user error becomes the last line. */
  step<T>(what: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.refused(what, error);
    }
  }

  refused(what: string, error: unknown): unknown {
    if (!(error instanceof TesseraError)) return error;
    this.all.push({ what, says: error.message, state: 'refused' });
    return new Refused(error.message);
  }
}

class Refused extends Error {}

export const findRefusal = (lines: readonly CheckLine[]): CheckLine | null =>
  lines.find(({ state }) => state === 'refused') ?? null;
