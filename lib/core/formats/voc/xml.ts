import { boundingBox, isEmpty, type Mask } from '@/lib/core/mask';
import type { DatasetImage, ObjectLabel } from '../dataset';
import { factsOf } from '../general/facts';
import { escapeXml } from '../markup/xml';
import { stemOf } from '../names';

/** Corners are pixels counted from 1, both within the box. */
function box(mask: Mask, indent: string): string {
  const [x, y, width, height] = boundingBox(mask);
  return (
    `${indent}<bndbox>\n${indent}\t<xmin>${x + 1}</xmin>\n${indent}\t<ymin>${y + 1}</ymin>\n` +
    `${indent}\t<xmax>${x + width}</xmax>\n${indent}\t<ymax>${y + height}</ymax>\n${indent}</bndbox>\n`
  );
}

/** Objects with an outline, in the order in which SegmentationObject numbers them. */
export const drawnObjects = (image: DatasetImage): ObjectLabel[] =>
  image.hasMasks ? image.objects.filter(({ outline }) => outline && !isEmpty(outline.mask)) : [];

export function annotationXml(image: DatasetImage, database: string): string {
  const drawn = drawnObjects(image);
  const objects = drawn.map(({ className, outline, parts, instance }) =>
    [
      '\t<object>\n',
      `\t\t<name>${escapeXml(className ?? '')}</name>\n\t\t<pose>Unspecified</pose>\n`,
      '\t\t<truncated>0</truncated>\n\t\t<difficult>0</difficult>\n',
      `\t\t<instance>${instance}</instance>\n`,
      outline ? box(outline.mask, '\t\t') : '',
      ...parts
        .filter(({ mask }) => !isEmpty(mask))
        .map(
          ({ id, mask }) =>
            `\t\t<part>\n\t\t\t<name>${escapeXml(id)}</name>\n${box(mask, '\t\t\t')}\t\t</part>\n`,
        ),
      '\t</object>\n',
    ].join(''),
  );
  return [
    '<annotation>\n\t<folder>JPEGImages</folder>\n',
    `\t<filename>${escapeXml(stemOf(image.name))}.jpg</filename>\n`,
    `\t<source>\n\t\t<database>${escapeXml(database)}</database>\n\t</source>\n`,
    `\t<size>\n\t\t<width>${image.width}</width>\n\t\t<height>${image.height}</height>\n\t\t<depth>3</depth>\n\t</size>\n`,
    `\t<segmented>${drawn.length > 0 ? 1 : 0}</segmented>\n`,
    ...objects,
    `\t<tessera>${escapeXml(JSON.stringify(factsOf(image)))}</tessera>\n`,
    '</annotation>\n',
  ].join('');
}
