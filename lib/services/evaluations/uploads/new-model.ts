import { z } from 'zod';
import { modelKinds } from '@/db/schema';
import { WrittenContract } from '@/lib/core/robustness/onnx/written-contract';

/** What a further file of a model is, and the name it is kept under. */
export const fileKinds = {
  model: 'model.onnx',
  gradient: 'model.grad.onnx',
  words: 'words.json',
  encoder: 'encoder.onnx',
} as const;
export type FileKind = keyof typeof fileKinds;

/** A model that was made elsewhere. `F` is what stands for a file: a receipt, or its sha256. */
const fieldsOf = <F extends z.ZodType>(file: F) =>
  z.strictObject({
    name: z.string().trim().min(1).max(120),
    kind: z.enum(modelKinds).default('classifier'),
    files: z.strictObject({
      model: file,
      /** Of a classifier: the graph with its gradient, as the trainer writes it. */
      gradient: file.optional(),
      /** Of an oracle: an embedding of each class's name, `.npy` or JSON. */
      words: file.optional(),
      /** Of a decoder: what finds the place of a picture. */
      encoder: file.optional(),
    }),
    contract: WrittenContract,
    /** It is meant to know other classes than the schema: only images of common ones are asked about. */
    otherClasses: z.boolean().default(false),
    /** Look at it and say what is found; nothing is entered. */
    onlyCheck: z.boolean().default(false),
  });

/** As the API takes it: files that were sent before, each by its receipt. */
export const AskedModel = fieldsOf(z.string().max(500));
export type AskedModel = z.infer<typeof AskedModel>;

/** As it is checked and entered: files by their sha256. */
export const NewModel = fieldsOf(z.string().regex(/^[0-9a-f]{64}$/));
export type NewModel = z.infer<typeof NewModel>;
