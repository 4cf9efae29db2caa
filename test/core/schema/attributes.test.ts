import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AttributeChoices,
  type AttributeGroup,
  choicesFrom,
  chooseOption,
  DatasetSchema,
  describeTarget,
  fitChoices,
  NONE,
  optionsOf,
  partColour,
  readTarget,
  type DatasetSchema as Schema,
  validateAttributes,
  writeTarget,
} from '@/lib/core/schema';
import { rival10 } from '@/lib/core/schema/presets';

const filled = {
  color: ['brown'],
  shape: ['none'],
  parts: ['tail', 'ears'],
  texture: ['hairy'],
  misc: ['none'],
};
const codes = (choices: Record<string, string[]>) =>
  validateAttributes(rival10, choices).map(({ group, code }) => `${group} ${code}`);

describe('a filled attribute form', () => {
  it('is accepted when each group has an answer', () => {
    expect(validateAttributes(rival10, filled)).toEqual([]);
  });

  it('is refused when a group was left empty', () => {
    expect(codes({ ...filled, texture: [] })).toEqual(['texture too-few']);
    expect(codes({})).toHaveLength(5);
  });

  it('is refused when "none" stands beside something', () => {
    expect(codes({ ...filled, misc: ['none', 'text'] })).toEqual(['misc none-with-others']);
  });

  it('is refused with three colours, accepted with two', () => {
    expect(codes({ ...filled, color: ['brown', 'white'] })).toEqual([]);
    expect(codes({ ...filled, color: ['brown', 'white', 'black'] })).toEqual(['color too-many']);
  });

  it('is refused with an option of another group, an unknown group or a repetition', () => {
    expect(codes({ ...filled, texture: ['tail'] })).toEqual(['texture unknown-option']);
    expect(codes({ ...filled, mood: ['happy'] })).toEqual(['mood unknown-group']);
    expect(codes({ ...filled, parts: ['tail', 'tail'] })).toEqual(['parts repeated-option']);
  });

  it('gets "none" in the groups where nothing applies', () => {
    expect(choicesFrom(rival10, ['brown', 'tail'])).toEqual({
      color: ['brown'],
      shape: ['none'],
      parts: ['tail'],
      texture: ['none'],
      misc: ['none'],
    });
  });
});

describe('a schema', () => {
  const problems = (change: Partial<Schema>) => {
    const result = DatasetSchema.safeParse({ ...rival10, ...change });
    return result.success ? [] : result.error.issues.map(({ message }) => message);
  };

  it('may not name an attribute in a group that it does not define', () => {
    expect(problems({ attributes: rival10.attributes.slice(1) })).toEqual([
      'a group names attribute "long-snout", which does not exist',
    ]);
  });

  it('may not define a class twice', () => {
    const [first] = rival10.classes;
    expect(problems({ classes: first ? [...rival10.classes, first] : [] })).toEqual([
      'class "truck" appears twice',
    ]);
  });

  it('may not hang a part on a class that is not there', () => {
    const part = { id: 'fin', name: 'Fin', classes: ['shark'], zOrder: 0, colour: '#112233' };
    expect(problems({ parts: [part] })).toEqual([
      'part "fin" belongs to class "shark", which does not exist',
    ]);
  });

  it('may not call an attribute "none"', () => {
    const none = { id: 'none', name: 'None', kind: 'label-only' as const, definition: 'Nothing.' };
    expect(problems({ attributes: [...rival10.attributes, none] })[0]).toContain('exclusive option');
  });
});

describe('part colours', () => {
  it('are 200 different colours in a row', () => {
    const colours = Array.from({ length: 200 }, (_, i) => partColour(i));
    expect(new Set(colours).size).toBe(200);
    for (const colour of colours) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
  });
});

const colour = rival10.attributeGroups.find((group) => group.id === 'color') as AttributeGroup;
const pose: AttributeGroup = {
  id: 'pose',
  name: 'Pose',
  attributes: ['standing', 'lying'],
  min: 1,
  max: 1,
  exclusiveNone: false,
};

describe('choosing an option of a group', () => {
  it('adds it in the order of the group, whatever the order of the clicks', () => {
    expect(chooseOption(colour, ['red'], 'white')).toEqual({
      kind: 'chosen',
      chosen: ['white', 'red'],
      takenBack: [],
    });
  });

  it('takes it back when it was chosen', () => {
    expect(chooseOption(colour, ['white', 'red'], 'white')).toEqual({ kind: 'taken-back', chosen: ['red'] });
  });

  it('clears the rest for "none", and "none" for the rest', () => {
    expect(chooseOption(colour, ['white', 'red'], NONE)).toEqual({
      kind: 'chosen',
      chosen: [NONE],
      takenBack: ['white', 'red'],
    });
    expect(chooseOption(colour, [NONE], 'red')).toEqual({
      kind: 'chosen',
      chosen: ['red'],
      takenBack: [NONE],
    });
  });

  it('refuses a third colour and keeps the two', () => {
    expect(chooseOption(colour, ['white', 'red'], 'blue')).toEqual({
      kind: 'refused',
      chosen: ['white', 'red'],
    });
  });

  it('swaps the option of a group that allows only one', () => {
    expect(chooseOption(pose, ['standing'], 'lying')).toEqual({
      kind: 'chosen',
      chosen: ['lying'],
      takenBack: ['standing'],
    });
  });

  it('refuses what the group does not offer, and forgets what it no longer offers', () => {
    expect(chooseOption(pose, ['kneeling', 'lying'], NONE)).toEqual({ kind: 'refused', chosen: ['lying'] });
  });
});

const group = (id: string): fc.Arbitrary<AttributeGroup> =>
  fc
    .record({
      size: fc.integer({ min: 1, max: 6 }),
      exclusiveNone: fc.boolean(),
      limits: fc.tuple(fc.nat(), fc.nat()),
    })
    .map(({ size, exclusiveNone, limits }) => {
      const max = 1 + (limits[0] % size);
      // "None" is one option: a group that offers it cannot ask for two.
      const min = limits[1] % ((exclusiveNone ? 1 : max) + 1);
      const attributes = Array.from({ length: size }, (_, i) => `${id}-${i}`);
      return { id, name: id, attributes, min, max, exclusiveNone };
    });

const schema: fc.Arbitrary<DatasetSchema> = fc
  .integer({ min: 1, max: 4 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => group(`g${i}`))))
  .map((attributeGroups) => ({
    id: 'any',
    name: 'Any',
    description: 'Any',
    classes: [{ id: 'thing', name: 'Thing' }],
    attributeGroups,
    attributes: attributeGroups.flatMap((each) =>
      each.attributes.map((id) => ({ id, name: id, kind: 'label-only' as const, definition: id })),
    ),
    parts: [],
  }));

/** Which group and which of its options; both are taken round the end. */
const clicks = fc.array(fc.tuple(fc.nat({ max: 50 }), fc.nat({ max: 50 })), { maxLength: 60 });

function click(
  of: DatasetSchema,
  before: AttributeChoices,
  [g, o]: readonly [number, number],
): AttributeChoices {
  const at = of.attributeGroups[g % of.attributeGroups.length] as AttributeGroup;
  const options = optionsOf(at);
  const { chosen } = chooseOption(at, before[at.id] ?? [], options[o % options.length] as string);
  return { ...before, [at.id]: chosen };
}

describe('whatever is clicked', () => {
  it('breaks no rule but that something is still missing', () => {
    fc.assert(
      fc.property(schema, clicks, (of, sequence) => {
        const choices = sequence.reduce((before, at) => click(of, before, at), {} as AttributeChoices);
        const codes = validateAttributes(of, choices).map((problem) => problem.code);
        expect(codes.filter((code) => code !== 'too-few')).toEqual([]);
      }),
    );
  });

  it('can be completed by further clicks into a form that may be submitted', () => {
    fc.assert(
      fc.property(schema, clicks, (of, sequence) => {
        const start = sequence.reduce((before, at) => click(of, before, at), {} as AttributeChoices);
        const complete = of.attributeGroups.reduce((before, at, g) => {
          const missing = () => (before[at.id]?.length ?? 0) < at.min;
          for (let o = 0; missing() && o < at.attributes.length; o++) {
            if (!before[at.id]?.includes(at.attributes[o] as string)) before = click(of, before, [g, o]);
          }
          return before;
        }, start);
        expect(validateAttributes(of, complete)).toEqual([]);
      }),
    );
  });

  it('stays in the order of the schema, so that equal choices are equal answers', () => {
    fc.assert(
      fc.property(schema, clicks, (of, sequence) => {
        const choices = sequence.reduce((before, at) => click(of, before, at), {} as AttributeChoices);
        for (const at of of.attributeGroups) {
          const chosen = choices[at.id] ?? [];
          expect(chosen).toEqual(optionsOf(at).filter((id) => chosen.includes(id)));
        }
      }),
    );
  });
});

describe('choices made under another schema', () => {
  it('keep what this one still offers', () => {
    const old = { color: ['red', 'mauve', 'white'], shape: ['tall'], mood: ['happy'] };
    const fitted = fitChoices(rival10, old);
    expect(fitted).toMatchObject({ color: ['white', 'red'], shape: ['tall'], parts: [] });
    expect(fitted).not.toHaveProperty('mood');
  });

  it('are not cut to a new limit behind the back of the person', () => {
    const old = { color: ['white', 'red', 'blue'], shape: ['tall', NONE] };
    const codes = validateAttributes(rival10, fitChoices(rival10, old)).map((problem) => problem.code);
    expect(codes).toEqual(expect.arrayContaining(['too-many', 'none-with-others']));
  });
});

const names = new Map([
  ['head', 'Head'],
  ['dog', 'Dog'],
]);
const nameOf = (id: string) => names.get(id) ?? id;

it.each([
  ['', 'whole image'],
  ['head', 'Head'],
  ['wing', 'wing'],
  ['#2:dog', 'object 2 (Dog)'],
  ['head#3:dog', 'Head of object 3 (Dog)'],
  ['head#2:', 'Head of object 2'],
])('a curator reads what "%s" is about: %s', (target, words) => {
  expect(describeTarget(target, nameOf, 'whole image')).toBe(words);
  expect(writeTarget(readTarget(target))).toBe(target);
});
