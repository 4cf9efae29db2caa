import type { Dataset } from '@/lib/core/formats/dataset';
import type { Check, Format } from '@/lib/core/formats/format';
import { commonOptions, readOptions } from '@/lib/core/formats/options';
import { prepareDataset } from '@/lib/core/formats/prepare';
import { caseDataset, type cases, greyPictures, own, rival, street, type Vocabulary } from './cases';
import * as cocoReaders from './coco-readers';
import * as expected from './expected';
import type { Files } from './files';
import * as mapReaders from './map-readers';
import * as openReaders from './open-readers';
import { expectedOf, type Seen, textOf } from './seen';
import * as toolReaders from './tool-readers';

/** How the field reads one format, and what it must see. */
interface Conformance {
  /** The loaders that the reader follows, and how far. */
  loaders: string;
  read(files: Files): Promise<Seen[]>;
  expected: Parameters<typeof expectedOf>[1];
  vocabulary: Vocabulary;
  options?: Record<string, unknown>;
}

const general = { vocabulary: own };

/** One entry for each format. */
export const conformance: Readonly<Record<string, Conformance>> = {
  'apm-part-imagenet': {
    ...general,
    loaders: 'adv-part-model, numbers of ids.json',
    read: mapReaders.apmPartImagenet,
    expected: expected.partMap,
  },
  'apm-cityscapes': {
    loaders: 'adv-part-model',
    read: mapReaders.apmCityscapes,
    expected: expected.uidRegions(false, { crowds: false }),
    vocabulary: street,
    options: { crops: false },
  },
  'apm-pascal-part': {
    ...general,
    loaders: 'adv-part-model, numbers of ids.json',
    read: mapReaders.apmPascalPart,
    expected: expected.partMap,
  },
  'part-imagenet': {
    ...general,
    loaders: 'pycocotools, adv-part-model',
    read: cocoReaders.partImageNet,
    expected: expected.partMasks,
  },
  'part-imagenet-seg': {
    ...general,
    loaders: 'Compositor',
    read: cocoReaders.partImageNetSeg,
    expected: expected.partImageNetSeg,
  },
  cityscapes: {
    loaders: 'cityscapesScripts; detectron2: number of instances',
    read: mapReaders.cityscapes,
    expected: expected.streetObjects,
    vocabulary: street,
  },
  'cityscapes-panoptic-parts': {
    loaders: 'panoptic_parts',
    read: mapReaders.cityscapesPanopticParts,
    expected: expected.uidRegions(false),
    vocabulary: street,
  },
  'pascal-part': {
    ...general,
    loaders: 'scipy',
    read: mapReaders.pascalPart,
    expected: expected.pascalObjects,
  },
  'pascal-panoptic-parts': {
    ...general,
    loaders: 'panoptic_parts',
    read: mapReaders.pascalPanopticParts,
    expected: expected.uidRegions(true),
  },
  'part-imagenet-pp': {
    ...general,
    loaders: 'PartImageNetPP, numbers of classes.json',
    read: openReaders.partImagenetPp,
    expected: expected.partsOfImageClass,
  },
  'panoptic-parts': {
    ...general,
    loaders: 'panoptic_parts',
    read: openReaders.panopticParts,
    expected: expected.uidRegions(true),
  },
  'pascal-part-116': {
    ...general,
    loaders: 'OV-PARTS, numbers of classes.json',
    read: openReaders.pascalPart116,
    expected: expected.classAndPartMaps,
  },
  'ade20k-part-234': {
    ...general,
    loaders: 'OV-PARTS, numbers of classes.json',
    read: openReaders.ade20kPart234,
    expected: expected.objectsAndPartMap,
  },
  ade20k: {
    ...general,
    loaders: 'ADE20K, Datumaro',
    read: openReaders.ade20k,
    expected: expected.withUnions,
  },
  paco: { ...general, loaders: 'PACO', read: openReaders.paco, expected: expected.withUnions },
  overlays: {
    ...general,
    loaders: 'viewers of SVG',
    read: openReaders.overlays,
    expected: expected.drawnShapes,
    options: { legend: false },
  },
  rival10: {
    loaders: 'RIVAL10, before it resizes',
    read: mapReaders.rival10,
    expected: expected.rivalMasks,
    vocabulary: rival,
    options: { size: 0 },
  },
  coco: {
    ...general,
    loaders: 'pycocotools, detectron2, torchvision, Datumaro',
    read: cocoReaders.coco,
    expected: expected.withUnions,
  },
  'coco-panoptic': {
    ...general,
    loaders: 'panopticapi, Datumaro',
    read: cocoReaders.cocoPanoptic,
    expected: expected.panopticSegments,
  },
  'yolo-seg': {
    ...general,
    loaders: 'polygons by the rule of COCO',
    read: cocoReaders.yolo,
    expected: expected.plainMasks,
  },
  voc: { ...general, loaders: 'torchvision', read: toolReaders.voc, expected: expected.vocObjects },
  labelme: { ...general, loaders: 'LabelMe', read: toolReaders.labelme, expected: expected.everyMask },
  cvat: { ...general, loaders: 'CVAT, Datumaro', read: toolReaders.cvat, expected: expected.everyMask },
  'label-studio': {
    ...general,
    loaders: 'Label Studio',
    read: toolReaders.labelStudio,
    expected: expected.everyMask,
  },
  datumaro: { ...general, loaders: 'Datumaro', read: toolReaders.datumaro, expected: expected.everyMask },
  'hf-parquet': { ...general, loaders: 'datasets', read: toolReaders.parquet, expected: expected.everyMask },
  webdataset: {
    ...general,
    loaders: 'webdataset',
    read: toolReaders.webdataset,
    expected: expected.everyMask,
  },
  'png-masks': { ...general, loaders: 'any', read: toolReaders.pngMasks, expected: expected.everyMask },
};

export interface Outcome {
  check: Check;
  seen: readonly Seen[];
  found: string[];
  wanted: string[];
}

/** Checks and exports a dataset. Names that a layout cannot store are replaced by numbers, as its refusal recommends. */
export async function exportCase(format: Format, dataset: Dataset, given: Record<string, unknown>) {
  const options = readOptions([...commonOptions, ...format.options], given);
  const prepared = await prepareDataset(dataset, options);
  const check = await format.check(prepared, options);
  const files = new Map<string, Uint8Array>();
  if (check.refusals.length > 0) return { check, files };
  for await (const file of format.write(prepared, options, greyPictures)) {
    if (file.path.endsWith('/')) files.set(file.path, new Uint8Array());
    else if (file.bytes) files.set(file.path, await file.bytes());
    else {
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.chunks?.() ?? [])
        chunks.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
      files.set(file.path, Buffer.concat(chunks));
    }
  }
  return { check, files };
}

export async function runCase(format: Format, entry: (typeof cases)[number]): Promise<Outcome> {
  const plan = conformance[format.id];
  if (!plan) throw new Error(`No reader for ${format.id}: add one to the conformance suite.`);
  const dataset = caseDataset(entry, plan.vocabulary);
  let { check, files } = await exportCase(format, dataset, { ...plan.options, ...entry.options });
  if (check.refusals.some(({ what }) => what.includes('names=number')))
    ({ check, files } = await exportCase(format, dataset, {
      ...plan.options,
      ...entry.options,
      names: 'number',
    }));
  if (check.refusals.length > 0)
    throw new Error(
      check.refusals.map(({ what, examples }) => `${what} (${examples.join(', ')})`).join('; '),
    );
  const seen = await plan.read(files);
  return {
    check,
    seen,
    found: seen.map(textOf).sort(),
    wanted: (await expectedOf(dataset, plan.expected)).map(textOf).sort(),
  };
}
