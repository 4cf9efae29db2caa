import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { optionKeys, optionOfKey } from '@/app/annotate/_attributes/option-keys';
import { type KeyChoices, remap, shortcuts, withChoices } from '@/lib/core/editor';
import { type AttributeGroup, NONE, optionsOf } from '@/lib/core/schema';
import { rival10 } from '@/lib/core/schema/presets';

const groupOf = (size: number, exclusiveNone = true): AttributeGroup => ({
  id: 'many',
  name: 'Many',
  attributes: Array.from({ length: size }, (_, i) => `option-${i}`),
  min: 1,
  max: size,
  exclusiveNone,
});

const reserved = (list = shortcuts) =>
  new Set(
    list.flatMap(({ id, scope, keys }) =>
      (scope === 'attributes' || scope === 'page') && !/^option-(\d|none)$/.test(id) ? keys : [],
    ),
  );

describe('the keys of the options', () => {
  it('are the digits, 0 for "none", and letters after the ninth', () => {
    const colour = rival10.attributeGroups[0] as AttributeGroup;
    const keys = optionKeys(colour, shortcuts);
    expect(keys.get('white')).toEqual(['1']);
    expect(keys.get('green')).toEqual(['9']);
    expect(keys.get('orange')).toEqual(['A']);
    expect(keys.get(NONE)).toEqual(['0']);
  });

  it('never collide with each other or with anything else in the form', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.boolean(), (size, exclusiveNone) => {
        const all = [...optionKeys(groupOf(size, exclusiveNone), shortcuts).values()].flat();
        expect(new Set(all).size).toBe(all.length);
        expect(all.filter((key) => reserved().has(key))).toEqual([]);
      }),
    );
  });

  it('do not collide after a person has chosen other keys', () => {
    const remapped = remap({}, 'picture-fit', ['A']);
    const choices: KeyChoices = remapped.ok ? remapped.choices : {};
    const list = withChoices(choices);
    const all = [...optionKeys(groupOf(20), list).values()].flat();
    expect(all).toContain('F');
    expect(all.filter((key) => reserved(list).has(key))).toEqual([]);
  });

  it('leave an option without a key when the letters run out, not without a place', () => {
    const group = groupOf(60);
    const keys = optionKeys(group, shortcuts);
    expect([...keys.keys()]).toEqual(optionsOf(group));
    expect(keys.get('option-59')).toEqual([]);
  });

  it('find the option again', () => {
    const group = groupOf(12);
    for (const [option, [key]] of optionKeys(group, shortcuts)) {
      expect(key && optionOfKey(group, key, shortcuts)).toBe(option);
    }
    expect(optionOfKey(groupOf(3), '4', shortcuts)).toBeUndefined();
  });
});
