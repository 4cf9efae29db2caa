import { describe, expect, it } from 'vitest';
import { formKeys } from '@/app/annotate/_attributes/form-keys';
import { keystrokes, keystrokesBefore, median, trueForms } from '@/bench/hands/images';
import { shortcuts } from '@/lib/core/editor';
import { type DatasetSchema, optionsOf } from '@/lib/core/schema';
import { rival10 } from '@/lib/core/schema/presets';

const keys = formKeys(rival10, shortcuts);

describe('the letters of a form', () => {
  it('choose every option that no digit chooses at first from anywhere, and collide with nothing', () => {
    const [first, ...others] = rival10.attributeGroups as [Group, ...Group[]];
    const count = others.flatMap(({ attributes }) => attributes).length;
    expect(keys.size).toBe(first.attributes.length - 9 + count);
    expect(keys.get('O')).toEqual({ group: 0, option: first.attributes.indexOf('orange') });
    const taken = shortcuts.flatMap((shortcut) =>
      shortcut.scope === 'attributes' || shortcut.scope === 'page' ? shortcut.keys : [],
    );
    expect([...keys.keys()].filter((key) => taken.includes(key))).toEqual([]);
  });

  it('are those of the names where possible', () => {
    const place = keys.get('T');
    const group = rival10.attributeGroups[place?.group ?? 0];
    expect(group && optionsOf(group)[place?.option ?? 0]).toBe('tall');
  });

  it('are none in a form of one group, and none where even the other groups have too many options', () => {
    const one = { ...rival10, attributeGroups: rival10.attributeGroups.slice(0, 1) };
    expect(formKeys(one, shortcuts).size).toBe(0);
    const attributes = Array.from({ length: 30 }, (_, i) => `option-${i}`);
    const [first, second] = rival10.attributeGroups as [Group, Group];
    const many = { ...rival10, attributeGroups: [first, { ...second, attributes }] };
    expect(formKeys(many, shortcuts).size).toBe(0);
  });
});

type Group = DatasetSchema['attributeGroups'][number];

describe('a typical image', () => {
  const forms = trueForms(40);

  it('takes at most 7 keystrokes', () => {
    const [before, after] = [median(forms.map(keystrokesBefore)), median(forms.map(keystrokes))];
    expect(before).toBeGreaterThanOrEqual(10);
    expect(after).toBeLessThanOrEqual(7);
  });
});
