import { describe, expect, it } from 'vitest';
import { DatasetSchema, localisedAttributes, partsOfClass, wholeObjectAttributes } from '@/lib/core/schema';
import {
  cityscapesParts,
  partImageNet,
  pascalPart,
  pascalPartGrouped,
  rival10,
  schemaPreset,
  schemaPresets,
} from '@/lib/core/schema/presets';

const code = (schema: DatasetSchema, id: string, name: string) =>
  schema.parts.find((part) => part.id === id)?.codes?.[name];

describe('schema presets', () => {
  it.each(schemaPresets.map((preset) => [preset.id, preset] as const))(
    '%s is a valid schema',
    (id, preset) => {
      expect(DatasetSchema.parse(preset)).toEqual(preset);
      expect(schemaPreset(id)).toBe(preset);
    },
  );

  it('have ids of their own', () => {
    expect(new Set(schemaPresets.map(({ id }) => id)).size).toBe(schemaPresets.length);
  });
});

describe('RIVAL10', () => {
  it('has ten classes of two ImageNet classes each', () => {
    expect(rival10.classes.map(({ id }) => id).sort()).toEqual([
      'bird',
      'car',
      'cat',
      'deer',
      'dog',
      'equine',
      'frog',
      'plane',
      'ship',
      'truck',
    ]);
    for (const { wnids } of rival10.classes) expect(wnids).toHaveLength(2);
  });

  it('has 11 drawn and 7 whole-object attributes, and ten colours of which two may be chosen', () => {
    expect(
      localisedAttributes(rival10)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([
      'beak',
      'colored-eyes',
      'ears',
      'floppy-ears',
      'horns',
      'long-snout',
      'mane',
      'tail',
      'text',
      'wheels',
      'wings',
    ]);
    expect(
      wholeObjectAttributes(rival10)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['hairy', 'long', 'metallic', 'patterned', 'rectangular', 'tall', 'wet']);
    const colour = rival10.attributeGroups.find(({ id }) => id === 'color');
    expect(colour?.attributes).toHaveLength(10);
    expect(colour?.max).toBe(2);
  });

  it('numbers attributes as the released vectors do', () => {
    const index = (id: string) => rival10.attributes.find((attribute) => attribute.id === id)?.codes?.index;
    expect([index('long-snout'), index('beak'), index('patterned')]).toEqual([0, 10, 17]);
    expect(rival10.classes.find(({ id }) => id === 'bird')?.codes?.index).toBe(9);
  });
});

describe('Part-ImageNet', () => {
  it('has 11 super-classes, 40 parts and 158 ImageNet classes, none twice', () => {
    expect(partImageNet.classes).toHaveLength(11);
    expect(partImageNet.parts).toHaveLength(40);
    const wnids = partImageNet.classes.flatMap((entry) => entry.wnids ?? []);
    expect(wnids).toHaveLength(158);
    expect(new Set(wnids).size).toBe(158);
  });

  it('knows both numberings of a part', () => {
    expect([
      code(partImageNet, 'Quadruped Head', 'coco'),
      code(partImageNet, 'Quadruped Head', 'mask'),
    ]).toEqual([0, 31]);
    expect([code(partImageNet, 'Bicycle Head', 'coco'), code(partImageNet, 'Bicycle Head', 'mask')]).toEqual([
      28, 7,
    ]);
    expect([
      code(partImageNet, 'Aeroplane Engine', 'coco'),
      code(partImageNet, 'Aeroplane Engine', 'mask'),
    ]).toEqual([35, 3]);
    expect([code(partImageNet, 'Snake Body', 'coco'), code(partImageNet, 'Snake Body', 'mask')]).toEqual([
      19, 40,
    ]);
  });

  it('keeps the spelling that readers match', () => {
    expect(
      partsOfClass(partImageNet, 'Car')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Body', 'Side Mirror', 'Tier']);
  });
});

describe('Cityscapes parts', () => {
  it('gives five classes in two groups four and five parts', () => {
    expect(cityscapesParts.classes.map(({ id, codes }) => [id, codes?.sid])).toEqual([
      ['person', 24],
      ['rider', 25],
      ['car', 26],
      ['truck', 27],
      ['bus', 28],
    ]);
    expect(partsOfClass(cityscapesParts, 'rider')).toHaveLength(4);
    expect(partsOfClass(cityscapesParts, 'bus')).toHaveLength(5);
  });

  it('numbers torso before head, as the files do', () => {
    expect([code(cityscapesParts, 'human-torso', 'pid'), code(cityscapesParts, 'human-head', 'pid')]).toEqual(
      [1, 2],
    );
    expect(code(cityscapesParts, 'vehicle-chassis', 'channel')).toBe(9);
  });
});

describe('PASCAL-Part', () => {
  it('has the twenty classes in VOC order, four of them without parts', () => {
    expect(pascalPart.classes).toHaveLength(20);
    expect(pascalPart.classes.find(({ id }) => id === 'tvmonitor')?.codes?.voc).toBe(20);
    const bare = pascalPart.classes.filter(({ id }) => partsOfClass(pascalPart, id).length === 0);
    expect(bare.map(({ id }) => id)).toEqual(['boat', 'chair', 'table', 'sofa']);
  });

  it('numbers parts as panoptic-parts does', () => {
    expect(code(pascalPart, 'dog:muzzle', 'pid')).toBe(18);
    expect(code(pascalPart, 'horse:torso', 'pid')).toBe(11);
    expect(code(pascalPart, 'person:rfoot', 'pid')).toBe(24);
  });

  it('spells the packed names out for people', () => {
    const name = (id: string) => pascalPart.parts.find((part) => part.id === id)?.name;
    expect(name('cow:lfuleg')).toBe('left front upper leg');
    expect(name('cat:rbpa')).toBe('right back paw');
    expect(name('train:hleftside')).toBe('head left side');
    expect(name('car:leftmirror')).toBe('left mirror');
    expect(name('bird:lwing')).toBe('left wing');
  });
});

describe('the grouped PASCAL preset', () => {
  it('merges existing fine parts into three per class, numbered 1 to 15', () => {
    const fine = new Set(pascalPart.parts.map(({ id }) => id));
    expect(pascalPartGrouped.parts.map(({ codes }) => codes?.mask)).toEqual(
      Array.from({ length: 15 }, (_, i) => i + 1),
    );
    for (const part of pascalPartGrouped.parts)
      for (const id of part.merges ?? []) expect(fine).toContain(id);
  });

  it('puts each fine part of its classes into exactly one merged part', () => {
    const merged = pascalPartGrouped.parts.flatMap((part) => part.merges ?? []).sort();
    const classes = pascalPartGrouped.classes.map(({ id }) => id);
    const fine = pascalPart.parts
      .filter((part) => classes.includes(part.classes[0] ?? ''))
      .map(({ id }) => id);
    expect(merged).toEqual(fine.sort());
  });
});
