import { describe, expect, it } from 'vitest';
import {
  choicesFrom,
  DatasetSchema,
  partColour,
  type DatasetSchema as Schema,
  validateAttributes,
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
