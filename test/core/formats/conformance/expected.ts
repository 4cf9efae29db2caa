import type { DatasetImage, ObjectLabel } from '@/lib/core/formats/dataset';
import { boundingBox, type Mask, rasterizeBox } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import {
  byHeight,
  instancesOf,
  isCrowd,
  isStuff,
  joined,
  type Layer,
  unionOf,
  visible,
  wholeOf,
} from './seen';

/** What a loader must see of an image, for each kind of format; written from the descriptions of the formats. */
type Expected = (image: DatasetImage, schema: DatasetSchema) => readonly Layer[];

const flagged = (label: string, mask: Mask, flags?: readonly string[]): Layer => ({
  label,
  mask,
  ...(flags && { flags }),
});

/** Every mask on its own. */
export const everyMask: Expected = ({ objects, attributeMasks }) => [
  ...objects.flatMap(({ className, outline, parts }) => [
    ...(outline && className !== null ? [flagged(className, outline.mask, outline.flags)] : []),
    ...parts.flatMap((part) => instancesOf(part).map((mask) => flagged(part.id, mask, part.flags))),
  ]),
  ...attributeMasks.map(({ id, mask }) => ({ label: id, mask })),
];

/** Every mask, and the union of the parts of objects without an outline. */
export const withUnions: Expected = (image, schema) => [
  ...everyMask(image, schema),
  ...image.objects.flatMap(({ className, outline, parts }) => {
    const mask = outline ? null : unionOf(parts);
    return mask && className !== null ? [{ label: className, mask }] : [];
  }),
];

/** Every mask, without flags and crowd regions. */
export const plainMasks: Expected = (image, schema) =>
  everyMask({ ...image, objects: image.objects.filter((object) => !isCrowd(object)) }, schema).map(
    ({ label, mask }) => ({ label, mask }),
  );

/** Segments of a panoptic map: objects with the first on top, above them parts by their height. */
export const panopticSegments: Expected = ({ objects }, schema) => {
  const outlines = [...objects]
    .sort((a, b) => b.instance - a.instance)
    .flatMap(({ className, outline }): Layer[] =>
      outline && className !== null
        ? [
            flagged(
              className,
              outline.mask,
              outline.flags?.filter((flag) => flag === 'crowd'),
            ),
          ]
        : [],
    );
  const z = (id: string) => schema.parts.find((part) => part.id === id)?.zOrder ?? 0;
  const parts = objects
    .flatMap(({ parts: labels, instance }) =>
      labels.flatMap((part) => instancesOf(part).map((mask) => ({ label: part.id, mask, instance }))),
    )
    .sort((a, b) => z(a.label) - z(b.label) || b.instance - a.instance)
    .map(({ label, mask }) => ({ label, mask }));
  return visible([...outlines, ...parts]);
};

const boxOf = (mask: Mask): Mask => rasterizeBox(boundingBox(mask), mask.height, mask.width);

/** Maps of objects with void regions below, and boxes of parts. */
export const vocObjects: Expected = ({ objects }) => {
  const drawn = objects.flatMap(({ className, outline, parts }): Layer[] => {
    const mask = outline?.mask ?? unionOf(parts);
    if (!mask) return [];
    return [flagged(className ?? 'void', mask, className === null ? undefined : outline?.flags)];
  });
  const ignored = drawn.filter(({ label }) => label === 'void');
  return [
    ...visible([...ignored, ...drawn.filter(({ label }) => label !== 'void').reverse()]),
    ...objects.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        instancesOf(part).map((mask) => ({ label: `${part.id} box`, mask: boxOf(mask) })),
      ),
    ),
  ];
};

/** Maps of instances: whole objects, the first on top; groups are crowd regions. */
export const streetObjects: Expected = ({ objects }) =>
  visible(
    [...objects].reverse().flatMap((object): Layer[] => {
      const mask = wholeOf(object);
      if (!mask || object.className === null) return [];
      return [flagged(object.className, mask, isCrowd(object) ? ['crowd'] : undefined)];
    }),
  );

/** Maps of panoptic-parts numbers. `countsParts`: instances of a part have numbers of their own. */
export const uidRegions =
  (countsParts: boolean, { crowds = true } = {}): Expected =>
  ({ objects }, schema) =>
    visible(
      [...objects].reverse().flatMap((object): Layer[] => {
        const whole = wholeOf(object);
        if (!whole || object.className === null) return [];
        if (isCrowd(object)) return crowds ? [flagged(object.className, whole, ['crowd'])] : [];
        if (isStuff(schema, object)) return crowds ? [{ label: object.className, mask: whole }] : [];
        const parts = byHeight(schema, object.parts).flatMap((part) =>
          (countsParts ? instancesOf(part) : [part.mask]).map((mask) => ({ label: part.id, mask })),
        );
        return [{ label: object.className, mask: whole }, ...parts];
      }),
    );

/** One part per pixel; objects are not told apart. */
export const partMap: Expected = ({ objects }, schema) =>
  joined(
    visible(
      [...objects]
        .reverse()
        .flatMap(({ parts }) => byHeight(schema, parts).map(({ id, mask }) => ({ label: id, mask }))),
    ),
  );

/** The parts of all objects, each instance on its own. */
export const partMasks: Expected = ({ objects }) =>
  objects.flatMap(({ parts }) =>
    parts.flatMap((part) => instancesOf(part).map((mask) => ({ label: part.id, mask }))),
  );

/** A map of parts, COCO annotations of parts, and a map of objects of the image's class. */
export const partImageNetSeg: Expected = (image, schema) => [
  ...partMap(image, schema).map((layer) => ({ ...layer, label: `map ${layer.label}` })),
  ...partMasks(image, schema),
  ...joined(
    image.objects.flatMap((object): Layer[] => {
      const mask = object.className === image.className && !isCrowd(object) ? wholeOf(object) : null;
      return mask ? [{ label: 'whole', mask }] : [];
    }),
  ),
];

/** Whole objects and their parts, each instance on its own. */
export const pascalObjects: Expected = ({ objects }, schema) =>
  objects
    .filter((object) => !isCrowd(object) && !isStuff(schema, object))
    .flatMap((object): Layer[] => {
      const mask = wholeOf(object);
      if (!mask || object.className === null) return [];
      return [
        { label: object.className, mask },
        ...object.parts.flatMap((part) => instancesOf(part).map((each) => ({ label: part.id, mask: each }))),
      ];
    });

/** Attributes with their masks; those of the whole object share its mask. */
export const rivalMasks: Expected = ({ objects, attributeMasks }, schema) => {
  const whole = joined(
    objects.flatMap((object): Layer[] => {
      const mask = isCrowd(object) || isStuff(schema, object) ? null : wholeOf(object);
      return mask ? [{ label: 'entire-object', mask }] : [];
    }),
  );
  return [
    ...whole,
    ...whole.map((layer) => ({ ...layer, label: 'metallic' })),
    ...attributeMasks.map(({ id, mask }) => ({ label: id, mask })),
  ];
};

const isDrawn = (object: ObjectLabel): boolean => object.className !== null && wholeOf(object) !== null;

/** A map of classes and a map of parts. Crowd regions are left out, and objects are not told apart. */
export const classAndPartMaps: Expected = (image, schema) => {
  const objects = image.objects.filter((object) => isDrawn(object) && !isCrowd(object));
  const layers = [...objects]
    .reverse()
    .map((object): Layer => ({ label: object.className as string, mask: wholeOf(object) as Mask }));
  return [...joined(visible(layers)), ...partMap({ ...image, objects }, schema)];
};

/** Whole objects on their own, and a map of parts. */
export const objectsAndPartMap: Expected = (image, schema) => [
  ...image.objects
    .filter(isDrawn)
    .map((object) =>
      flagged(object.className as string, wholeOf(object) as Mask, isCrowd(object) ? ['crowd'] : undefined),
    ),
  ...partMap(image, schema),
];

/** The parts of the objects that have the class of the image. */
export const partsOfImageClass: Expected = (image, schema) =>
  partMap(
    { ...image, objects: image.objects.filter(({ className }) => className === image.className) },
    schema,
  );

/** Every mask, the unions of parts without an outline, and regions to ignore. */
export const drawnShapes: Expected = (image, schema) => [
  ...withUnions(image, schema),
  ...image.objects.flatMap(({ className, outline }) =>
    className === null && outline ? [flagged('void', outline.mask, outline.flags)] : [],
  ),
];
