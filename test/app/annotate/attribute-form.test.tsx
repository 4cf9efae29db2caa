import { createTranslator, NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { TooltipProvider } from '@/app/_ui/tooltip';
import { AttributeForm, type AttributeFormProps } from '@/app/annotate/_attributes/attribute-form';
import { choosingText, refusalText, ruleText } from '@/app/annotate/_attributes/words';
import { type AttributeGroup, choicesFrom, chooseOption, NONE } from '@/lib/core/schema';
import { rival10 } from '@/lib/core/schema/presets';
import messages from '@/messages/en.json';

const render = (props: Partial<AttributeFormProps> = {}) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={messages}>
      <TooltipProvider>
        <AttributeForm
          schema={rival10}
          className="bird"
          imageUrl="/picture.png"
          imageWidth={400}
          imageHeight={300}
          imageAlt="Picture 3 of 20"
          value={{}}
          onChange={() => {}}
          showProblems={false}
          {...props}
        />
      </TooltipProvider>
    </NextIntlClientProvider>,
  );

const t = createTranslator({ locale: 'en', messages, namespace: 'form' });

const inputs = (html: string) => html.match(/<input[^>]*>/g) ?? [];

describe('the attribute form', () => {
  it('names the class and shows the picture, every group and every option', () => {
    const html = render();
    expect(html).toContain('A finch: goldfinch or house finch.');
    expect(html).toContain('alt="Picture 3 of 20"');
    expect(html.match(/<fieldset/g)).toHaveLength(5);
    expect(inputs(html)).toHaveLength(28 + 5);
  });

  it('has one stop of the Tab key per group', () => {
    const stops = inputs(render()).filter((input) => input.includes('tabindex="0"'));
    expect(stops).toHaveLength(5);
  });

  it('stops at what is chosen', () => {
    const html = render({ value: choicesFrom(rival10, ['red', 'wings']) });
    const checked = inputs(html).filter((input) => input.includes('checked=""'));
    expect(checked).toHaveLength(5);
    for (const input of checked) expect(input).toContain('tabindex="0"');
  });

  it('blames nobody before they tried to submit', () => {
    expect(render()).not.toContain('Choose at least');
  });

  it('says at every broken rule what is wrong after the person tried to submit', () => {
    const html = render({ showProblems: true, value: { color: ['red'], shape: [NONE] } });
    expect(html.match(/Choose at least 1 in (Parts|Texture|Other)\./g)).toHaveLength(3);
    expect(html).not.toContain('Choose at least 1 in Colour');
  });

  it('shows the definition and the examples of the option with the focus', () => {
    const html = render({ examples: { white: [{ url: '/swan.png', alt: 'a swan', note: 'All white' }] } });
    expect(html).toContain('White is one of the one or two colours');
    expect(html).toContain('src="/swan.png"');
    expect(html).toContain('All white');
  });
});

const colour = rival10.attributeGroups[0] as AttributeGroup;

describe('the words of the form', () => {
  it('say the rule of a group', () => {
    const rule = (change: Partial<AttributeGroup>) =>
      ruleText(t, { ...colour, attributes: ['a', 'b', 'c', 'd'], exclusiveNone: false, ...change });
    expect(ruleText(t, colour)).toBe('Choose 1 or 2, or none');
    expect(rule({ min: 1, max: 4 })).toBe('Choose all that apply');
    expect(rule({ min: 1, max: 1 })).toBe('Choose 1');
    expect(rule({ min: 0, max: 2 })).toBe('Choose at most 2');
    expect(rule({ min: 1, max: 3 })).toBe('Choose 1 to 3');
    expect(rule({ min: 2, max: 4 })).toBe('Choose at least 2');
  });

  it('say what a click did, also to other options', () => {
    const say = (before: string[], option: string) =>
      choosingText(t, rival10, colour, option, chooseOption(colour, before, option));
    expect(say([], 'red')).toBe('Red chosen.');
    expect(say(['red'], 'red')).toBe('Red taken back.');
    expect(say(['white', 'red'], NONE)).toBe('None chosen, White, Red taken back.');
    expect(say([NONE], 'red')).toBe('Red chosen, None taken back.');
    expect(say(['white', 'red'], 'blue')).toBe(refusalText(t, rival10, colour, 'blue'));
    expect(refusalText(t, rival10, colour, 'blue')).toContain('take one back to choose Blue');
  });
});
