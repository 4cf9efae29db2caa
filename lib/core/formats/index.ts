import { format as ade20k } from './ade20k';
import { format as apmCityscapes } from './apm-cityscapes';
import { format as apmPartImagenet } from './apm-part-imagenet';
import { format as apmPascalPart } from './apm-pascal-part';
import { format as cityscapes } from './cityscapes';
import { format as cityscapesPanopticParts } from './cityscapes-panoptic-parts';
import { format as coco } from './coco';
import { format as cocoPanoptic } from './coco-panoptic';
import { format as cvat } from './cvat';
import { format as datumaro } from './datumaro';
import type { Format } from './format';
import { format as hfParquet } from './hf-parquet';
import { format as labelStudio } from './label-studio';
import { format as labelme } from './labelme';
import { ade20kPart234Format, pascalPart116Format } from './ov-parts';
import { format as overlays } from './overlays';
import { format as paco } from './paco';
import { format as panopticParts } from './panoptic-parts';
import { format as partImagenet } from './part-imagenet';
import { format as partImagenetPp } from './part-imagenet-pp';
import { format as partImagenetSeg } from './part-imagenet-seg';
import { format as pascalPanopticParts } from './pascal-panoptic-parts';
import { format as pascalPart } from './pascal-part';
import { format as pngMasks } from './png-masks';
import { format as rival10 } from './rival10';
import { guardFormat } from './shared/guard';
import { format as voc } from './voc';
import { format as webdataset } from './webdataset';
import { format as yoloSeg } from './yolo-seg';

/** The registry of formats, in display order. Add a format here; see docs/formats.md. */
const plugins: readonly Format[] = [
  apmPartImagenet,
  apmCityscapes,
  apmPascalPart,
  partImagenet,
  partImagenetSeg,
  partImagenetPp,
  cityscapes,
  cityscapesPanopticParts,
  pascalPart,
  pascalPanopticParts,
  panopticParts,
  pascalPart116Format,
  ade20kPart234Format,
  ade20k,
  paco,
  rival10,
  coco,
  cocoPanoptic,
  yoloSeg,
  voc,
  labelme,
  cvat,
  labelStudio,
  datumaro,
  hfParquet,
  webdataset,
  pngMasks,
  overlays,
];

export const formats: readonly Format[] = plugins.map(guardFormat);
