import { describe, expect, it } from 'vitest';
import {
  carryChoices,
  choicesFrom,
  type DatasetSchema,
  draftProblems,
  editSchema,
  inOrder,
  MAX_ENTRIES,
  partColour,
  type SchemaEdit,
  schemaChange,
  stillAnswers,
} from '@/lib/core/schema';
import { pascalPartGrouped, rival10, schemaPresets } from '@/lib/core/schema/presets';

const edited = (schema: DatasetSchema, ...edits: SchemaEdit[]) => edits.reduce(editSchema, schema);
const words = (old: DatasetSchema, next: DatasetSchema) =>
  schemaChange(old, next).map(({ change, entry, id }) => `${change} ${entry} ${id}`);
const told = (schema: DatasetSchema) =>
  draftProblems(schema).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('the difference between two schemas', () => {
  it('is nothing between a schema and itself', () => {
    for (const preset of schemaPresets) expect(schemaChange(preset, structuredClone(preset))).toEqual([]);
  });

  it('tells renamed, changed, added and removed entries apart, each with what becomes of labels', () => {
    const next = edited(
      rival10,
      { do: 'set', list: 'attributes', index: 0, fields: { name: 'Muzzle' } },
      { do: 'set', list: 'attributes', index: 1, fields: { kind: 'label-only' } },
      { do: 'add', list: 'attributes', group: 'texture' },
      { do: 'rename', list: 'attributes', index: rival10.attributes.length, name: 'Fluffy' },
      { do: 'remove', list: 'classes', index: 0 },
      { do: 'set', list: 'attributeGroups', index: 0, fields: { max: 1 } },
    );
    expect(words(rival10, next)).toEqual([
      'removed class truck',
      'changed group color',
      'changed group texture',
      'renamed attribute long-snout',
      'changed attribute wings',
      'added attribute fluffy',
    ]);
    const [, colour, , snout, wings, fluffy] = schemaChange(rival10, next);
    expect(colour).toMatchObject({ fields: [{ field: 'at most', from: '2', to: '1' }] });
    expect(colour?.labels).toMatch(/break the new rule/);
    expect(snout?.labels).toBe('Labels are kept.');
    expect(wings?.labels).toMatch(/set aside/);
    expect(fluffy?.labels).toMatch(/until they are asked again/);
  });

  it('knows a part by its id: a move of classes is a change, not a new part', () => {
    const [part] = pascalPartGrouped.parts;
    const next = edited(pascalPartGrouped, {
      do: 'set',
      list: 'parts',
      index: 0,
      fields: { classes: ['cat'] },
    });
    expect(schemaChange(pascalPartGrouped, next)).toMatchObject([
      { entry: 'part', id: part?.id, change: 'changed' },
    ]);
  });

  it('keeps masks when a part gets instances or a parent, or a class becomes stuff, and says so', () => {
    const [first, second] = pascalPartGrouped.parts;
    const next = edited(
      pascalPartGrouped,
      { do: 'set', list: 'parts', index: 0, fields: { numbered: !first?.numbered } },
      { do: 'set', list: 'parts', index: 1, fields: { parent: first?.id } },
      { do: 'set', list: 'classes', index: 0, fields: { kind: 'stuff' } },
    );
    const [kind, several, parent] = schemaChange(pascalPartGrouped, next);
    expect(kind).toMatchObject({ fields: [{ field: 'kind', from: 'thing', to: 'stuff' }] });
    expect(kind?.labels).toMatch(/regions of stuff/);
    expect(several).toMatchObject({ id: first?.id, fields: [{ field: 'several per object' }] });
    expect(several?.labels).toMatch(/Masks are kept/);
    expect(parent).toMatchObject({ id: second?.id, fields: [{ field: 'part of', to: first?.id }] });
    expect(parent?.labels).toMatch(/new hierarchy/);
  });

  it('keeps sub-parts with their part while it is renamed, and frees them when it is removed', () => {
    const added = edited(
      pascalPartGrouped,
      { do: 'add', list: 'parts' },
      { do: 'set', list: 'parts', index: 0, fields: { parent: 'new' } },
      { do: 'rename', list: 'parts', index: pascalPartGrouped.parts.length, name: 'Front' },
    );
    expect(added.parts[0]?.parent).toBe('front');
    const removed = edited(added, { do: 'remove', list: 'parts', index: pascalPartGrouped.parts.length });
    expect(removed.parts[0]?.parent).toBeUndefined();
  });
});

describe('a form under another schema', () => {
  const form = choicesFrom(rival10, ['white', 'tail', 'ears', 'hairy']);

  it('answers it while nothing new is asked and no rule is broken', () => {
    const renamed = edited(rival10, { do: 'set', list: 'attributes', index: 8, fields: { name: 'Rear' } });
    expect(stillAnswers(rival10, renamed, form)).toBe(true);
    const moved = edited(rival10, { do: 'move-attribute', id: 'hairy', group: 'misc' });
    expect(carryChoices(rival10, moved, form)).toMatchObject({ misc: ['hairy'], texture: ['none'] });
    expect(stillAnswers(rival10, moved, form)).toBe(true);
  });

  it('does not when an attribute is new: “none” never spoke about it', () => {
    const grown = edited(rival10, { do: 'add', list: 'attributes', group: 'misc' });
    expect(carryChoices(rival10, grown, form)).toMatchObject({ misc: [] });
    expect(stillAnswers(rival10, grown, form)).toBe(false);
  });

  it('does not when a rule became stricter than what was chosen', () => {
    const two = choicesFrom(rival10, ['white', 'black']);
    const strict = edited(rival10, { do: 'set', list: 'attributeGroups', index: 0, fields: { max: 1 } });
    expect([two, form].map((each) => stillAnswers(rival10, strict, each))).toEqual([false, true]);
  });
});

describe('editing a draft', () => {
  it('gives a new entry an id from its name, and whatever names it follows', () => {
    const next = edited(
      pascalPartGrouped,
      { do: 'add', list: 'classes' },
      { do: 'set', list: 'parts', index: 0, fields: { classes: ['new'] } },
      { do: 'rename', list: 'classes', index: pascalPartGrouped.classes.length, name: 'Zèbre' },
    );
    expect(next.classes.at(-1)).toEqual({ id: 'zebre', name: 'Zèbre' });
    expect(next.parts[0]?.classes).toEqual(['zebre']);
  });

  it('moves a part among those of its class, and no other is touched', () => {
    const ofBird = (schema: DatasetSchema) =>
      inOrder(schema.parts.filter(({ classes }) => classes.includes('bird'))).map(({ id }) => id);
    const [lowest, middle, top] = ofBird(pascalPartGrouped) as [string, string, string];
    const raised = edited(pascalPartGrouped, { do: 'move-part', id: lowest, before: top });
    expect(ofBird(raised)).toEqual([middle, lowest, top]);
    expect(words(pascalPartGrouped, raised).sort()).toEqual(
      [`changed part ${lowest}`, `changed part ${middle}`].sort(),
    );
    const onTop = edited(raised, { do: 'move-part', id: lowest, before: null });
    expect(ofBird(onTop)).toEqual([middle, top, lowest]);
    expect(ofBird(edited(onTop, { do: 'move-part', id: lowest, before: middle }))).toEqual([
      lowest,
      middle,
      top,
    ]);
  });

  it('tells parts apart that had the same place', () => {
    const parts = pascalPartGrouped.parts.map((part) => ({ ...part, zOrder: 0 }));
    const moved = edited({ ...pascalPartGrouped, parts }, { do: 'move-part', id: 'bird:head', before: null });
    const birds = moved.parts.filter(({ classes }) => classes.includes('bird'));
    expect(birds.map(({ id, zOrder }) => [id, zOrder])).toEqual([
      ['bird:head', 2],
      ['bird:legs', 0],
      ['bird:body', 1],
    ]);
  });

  it('says beside the field what is wrong: an empty name, a part of no class, more asked than allowed, a second id', () => {
    expect(told(edited(rival10, { do: 'add', list: 'classes' }))).toEqual([
      'classes.10.name: must not be empty',
    ]);
    const orphan = edited(pascalPartGrouped, { do: 'remove', list: 'classes', index: 0 });
    expect(told(orphan)[0]).toMatch(/^parts\.\d+\.classes: must not be empty$/);
    const reversed = edited(rival10, { do: 'set', list: 'attributeGroups', index: 0, fields: { min: 3 } });
    expect(told(reversed)).toEqual([
      'attributeGroups.0.max: group "color" asks for more options than it allows',
    ]);
    const twice = { ...rival10, classes: [...rival10.classes, { id: 'dog', name: 'Dog' }] };
    expect(told(twice)).toEqual(['classes.10.id: class "dog" appears twice']);
  });

  it('refuses more parts than can be told apart, and a part called like an attribute that is drawn', () => {
    const parts = Array.from({ length: MAX_ENTRIES + 1 }, (_, n) => ({
      id: `part-${n}`,
      name: `Part ${n}`,
      classes: ['dog'],
      zOrder: n,
      colour: partColour(n),
    }));
    expect(told({ ...rival10, parts })).toEqual([`parts: 201 parts: at most ${MAX_ENTRIES} are possible`]);
    const tail = { ...(parts[0] as (typeof parts)[0]), id: 'tail' };
    expect(told({ ...rival10, parts: [tail] })).toEqual([
      'parts.0.id: part "tail" has the id of an attribute that is drawn',
    ]);
  });
});
