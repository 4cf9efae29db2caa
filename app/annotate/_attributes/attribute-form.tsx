'use client';

import { useTranslations } from 'next-intl';
import { useMemo, useRef, useState } from 'react';
import { Kbd } from '@/app/_ui/kbd';
import { type KeyChoices, withChoices } from '@/lib/core/editor/key-press';
import { type AttributeChoices, type DatasetSchema, optionsOf } from '@/lib/core/schema';
import { DefinitionPanel, type Example } from './definition-panel';
import { formKeys, type Place } from './form-keys';
import { OptionGroup } from './option-group';
import { optionKeys } from './option-keys';
import { PicturePane } from './picture-pane';
import { useChoosing } from './use-choosing';
import { useFormShortcuts } from './use-form-shortcuts';
import { usePictureView } from './use-picture-view';
import { optionDefinition, optionName } from './words';

export type AttributeFormProps = {
  schema: DatasetSchema;
  /** The class of the object, if the image has one. */
  className: string | null;
  imageUrl: string;
  imageWidth: number;
  imageHeight: number;
  imageAlt: string;
  value: AttributeChoices;
  onChange(next: AttributeChoices): void;
  /** Called by the submit key. Whether the form may be submitted is for `validateAttributes` to say. */
  onSubmit?: () => void;
  /** The person tried to submit: every broken rule is told, and the first one gets the focus. */
  showProblems: boolean;
  /** Enter submits a form that is complete. */
  submitsByEnter?: boolean;
  keyChoices?: KeyChoices;
  /** What is around the form is inert: it takes the focus as soon as it is not. */
  isInert?: boolean;
  /** By attribute. */
  examples?: Readonly<Record<string, readonly Example[]>>;
};

const registryKeys: KeyChoices = {};

/**
 * The picture and the groups of attributes beside it. It fills the height it is given, takes the keys of the page
 * unless it is inert, and keeps its place in the form per item: give it the lease as its key.
 */
export function AttributeForm(props: AttributeFormProps) {
  const { schema, value, keyChoices = registryKeys, examples = {}, onSubmit } = props;
  const t = useTranslations('form');
  const root = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const picture = usePictureView(pane, { width: props.imageWidth, height: props.imageHeight });
  const choosing = useChoosing(root, props);
  const shortcuts = useMemo(() => withChoices(keyChoices), [keyChoices]);
  const places = useMemo(() => formKeys(schema, shortcuts), [schema, shortcuts]);
  useFormShortcuts(root, {
    ...{ schema, keyChoices, choosing, picture, places, onSubmit },
    submitsByEnter: props.submitsByEnter ?? false,
  });
  const [pointed, setPointed] = useState<[group: number, option: number] | null>(null);
  const [inGroup, inOption] = pointed ?? [choosing.current, choosing.stopOf(choosing.current)];
  const group = schema.attributeGroups[inGroup];
  const option = group && optionsOf(group)[inOption];

  return (
    <div ref={root} className="grid min-h-0 gap-4 lg:h-full lg:grid-cols-[minmax(0,1fr)_minmax(35.5rem,36%)]">
      <div className="min-h-0 max-lg:sticky max-lg:-top-4 max-lg:z-10 max-lg:-mx-4 max-lg:-mt-4 max-lg:border-b max-lg:border-line max-lg:bg-surface max-lg:p-2">
        <PicturePane
          pane={pane}
          control={picture}
          url={props.imageUrl}
          alt={props.imageAlt}
          width={props.imageWidth}
          height={props.imageHeight}
        />
        {group && option && (
          // Always two lines, so that nothing moves under the thumb.
          <p dir="auto" className="mt-1.5 line-clamp-2 h-9 px-1 text-xs leading-4.5 text-ink-2 lg:hidden">
            <span className="font-semibold text-ink">{optionName(t, schema, option)}</span>{' '}
            {optionDefinition(t, schema, group, option)}
          </p>
        )}
      </div>
      <div className="flex min-h-0 flex-col gap-2">
        <FormHeading
          schema={schema}
          className={props.className}
          hasLetters={places.size > 0}
          submitsByEnter={props.submitsByEnter ?? false}
        />
        <div className="flex min-h-0 flex-1 flex-col gap-2 p-1 lg:overflow-y-auto">
          {schema.attributeGroups.map((each, index) => (
            <OptionGroup
              key={each.id}
              index={index}
              schema={schema}
              group={each}
              chosen={value[each.id] ?? []}
              stop={choosing.stopOf(index)}
              isCurrent={index === choosing.current}
              keys={optionKeys(each, shortcuts)}
              letterOf={(option) => letterOf(places, index, option)}
              reason={choosing.reasonOf(index)}
              onChoose={(at) => choosing.choose(index, at)}
              onFocus={(at, byKey) => choosing.onFocus(index, at, byKey)}
              onPoint={(at) => setPointed(at === null ? null : [index, at])}
            />
          ))}
        </div>
        {group && option && (
          <DefinitionPanel
            name={optionName(t, schema, option)}
            definition={optionDefinition(t, schema, group, option)}
            examples={examples[option] ?? []}
            hasPictures={Object.keys(examples).length > 0}
          />
        )}
      </div>
      <p role="status" className="sr-only">
        <span key={choosing.said.count}>{choosing.said.text}</span>
      </p>
    </div>
  );
}

/** What the object is; the frame of the page says what to do. */
function FormHeading(props: {
  schema: DatasetSchema;
  className: string | null;
  hasLetters: boolean;
  submitsByEnter: boolean;
}) {
  const { schema, className, hasLetters, submitsByEnter } = props;
  const t = useTranslations('form');
  const shown = schema.classes.find((entry) => entry.id === className);
  return (
    <header className="flex flex-wrap items-baseline justify-between gap-x-4 px-1">
      <h2 className="text-base font-semibold">
        {shown?.name ?? className ?? t('object')}{' '}
        {shown?.definition && <span className="ms-1 text-sm font-normal text-ink-2">{shown.definition}</span>}
      </h2>
      <p className="flex flex-wrap items-center gap-x-3.5 gap-y-1 text-xs text-ink-3 pointer-coarse:hidden">
        <KeyHint keys={hasLetters ? '1 … 9, A … Z' : '1 … 9'}>{t('keys.choose')}</KeyHint>
        {schema.attributeGroups.some(({ exclusiveNone }) => exclusiveNone) && (
          <KeyHint keys={submitsByEnter ? 'Shift+Enter' : 'N'}>
            {submitsByEnter ? t('keys.noneAndDone') : t('keys.noneForRest')}
          </KeyHint>
        )}
        {(submitsByEnter || schema.attributeGroups.length > 1) && (
          <KeyHint keys="Enter">{submitsByEnter ? t('keys.done') : t('keys.nextGroup')}</KeyHint>
        )}
      </p>
    </header>
  );
}

/** A key and what it does, on one line. */
function KeyHint({ keys, children }: { keys: string; children: string }) {
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <Kbd keys={keys} /> {children}
    </span>
  );
}

function letterOf(places: ReadonlyMap<string, Place>, group: number, option: number): string | undefined {
  return [...places].find(([, place]) => place.group === group && place.option === option)?.[0];
}
