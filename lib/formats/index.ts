import { format as coco } from './coco';
import { format as cvat } from './cvat';
import { format as datumaro } from './datumaro';
import type { Format } from './format';
import { format as labelStudio } from './label-studio';
import { format as labelme } from './labelme';

/** Every format there is, as lists show them. */
export const formats: readonly Format[] = [coco, labelme, cvat, labelStudio, datumaro];
