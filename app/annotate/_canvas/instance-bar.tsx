'use client';

import { Plus, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type MouseEvent, useEffect, useRef } from 'react';
import { cn } from '@/app/_ui/cn';
import { IconButton } from '@/app/_ui/icon-button';
import { Tooltip } from '@/app/_ui/tooltip';
import { type ActionId, currentInstances, type Editor, layerOf } from '@/lib/core/editor';
import { askedFlags } from '@/lib/core/schema';
import { focusCanvas } from './focus-canvas';
import { useKeyFor } from './keys';
import { instanceStyle, type LabelStyle } from './paint/label-style';
import { Swatch } from './panel/swatch';
import { useEditor } from './use-editor';

interface InstanceBarProps {
  editor: Editor;
  styleOf: (label: string) => LabelStyle;
  disabled: boolean;
}

const chip =
  'flex h-8 shrink-0 items-center gap-1.5 rounded-md border px-2 text-sm disabled:opacity-40 max-wide:h-11';

/** The instances of the current label, and what else is asked about it. Not there if neither is asked. */
export function InstanceBar({ editor, styleOf, disabled }: InstanceBarProps) {
  const label = useEditor(editor, (state) => state.label);
  const isNumbered = useEditor(editor, ({ severalOf }) => severalOf.has(label));
  // A drawing from before the schema changed can have several instances as well.
  const hasSeveral = useEditor(editor, (state) => currentInstances(state).length > 1);
  const flags = useEditor(editor, ({ settings }) => settings.flags);
  if (!isNumbered && !hasSeveral && flags.length === 0) return null;
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1.5 border-b border-line bg-surface px-2 py-1">
      {(isNumbered || hasSeveral) && (
        <Instances editor={editor} style={styleOf(label)} disabled={disabled} isNumbered={isNumbered} />
      )}
      {flags.length > 0 && <Flags editor={editor} disabled={disabled} />}
    </div>
  );
}

interface InstancesProps {
  editor: Editor;
  style: LabelStyle;
  disabled: boolean;
  isNumbered: boolean;
}

function Instances({ editor, style, disabled, isNumbered }: InstancesProps) {
  const t = useTranslations('canvas.instances');
  const keyFor = useKeyFor();
  const current = useEditor(editor, (state) => state.instance);
  const label = useEditor(editor, (state) => state.label);
  const name = useEditor(editor, ({ names }) => names.get(label) ?? label);
  const list = useEditor(editor, (state) => currentInstances(state).join());
  const instances = list.split(',').map(Number);
  const isNothing = useEditor(editor, ({ document }) => layerOf(document, label)?.nothing ?? false);
  const isEmpty = useEditor(editor, ({ document }) => !layerOf(document, label)?.shapes.length);
  const bar = useRef<HTMLUListElement>(null);
  const place = instances.indexOf(current);
  useEffect(() => {
    bar.current?.children[place]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [place]);
  const act = (action: ActionId) => (event: MouseEvent) => {
    editor.dispatch({ type: 'action', action, time: event.timeStamp });
    if (event.detail > 0) focusCanvas();
  };
  return (
    // Text for screen readers only stays within the list that scrolls.
    <div className="relative flex min-w-0 max-w-full items-center gap-1.5 overflow-x-auto">
      <ul ref={bar} aria-label={t('title', { label: name })} className="flex gap-1.5">
        {instances.map((instance, index) => (
          <li key={instance} className="shrink-0">
            <button
              type="button"
              aria-current={instance === current}
              onClick={(event) => {
                editor.dispatch({ type: 'instance', instance });
                if (event.detail > 0) focusCanvas();
              }}
              className={cn(
                chip,
                'max-w-56',
                instance === current
                  ? 'border-accent bg-accent-soft font-medium text-ink'
                  : 'border-line hover:bg-hover',
              )}
            >
              <Swatch style={instanceStyle(style, instance)} />
              <span className="truncate">
                <bdi>{t('one', { label: name, number: index + 1 })}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {isNumbered && (
        <Tooltip text={t('addTip', { label: name })} shortcut={keyFor('new-instance')} side="bottom">
          <button
            type="button"
            disabled={disabled || isNothing || isEmpty}
            onClick={act('new-instance')}
            className={cn(chip, 'border-dashed border-line-strong enabled:hover:bg-hover')}
          >
            <Plus aria-hidden className="size-4" />
            {t('add')}
          </button>
        </Tooltip>
      )}
      {instances.length > 1 ? (
        <IconButton
          label={t('delete', { label: name, number: place + 1 })}
          shortcut={keyFor('delete-instance')}
          side="bottom"
          className="shrink-0 max-wide:size-11"
          disabled={disabled}
          onClick={act('delete-instance')}
        >
          <Trash2 aria-hidden />
        </IconButton>
      ) : (
        <span className="shrink-0 text-xs text-ink-2">{t('hint')}</span>
      )}
    </div>
  );
}

function Flags({ editor, disabled }: Pick<InstanceBarProps, 'editor' | 'disabled'>) {
  const t = useTranslations('canvas');
  const keyFor = useKeyFor();
  const asked = useEditor(editor, ({ settings }) => settings.flags);
  const layer = useEditor(editor, ({ document, label }) => layerOf(document, label));
  return (
    <fieldset className="relative ms-auto flex flex-wrap gap-1.5 border-0 p-0">
      <legend className="sr-only">{t('instances.flags')}</legend>
      {askedFlags
        .filter((flag) => asked.includes(flag))
        .map((flag) => {
          const isSet = layer?.flags?.includes(flag) ?? false;
          return (
            <Tooltip key={flag} text={t(`flags.${flag}`)} shortcut={keyFor(`flag-${flag}`)} side="bottom">
              <button
                type="button"
                aria-pressed={isSet}
                disabled={disabled || layer?.nothing === true}
                onClick={(event) => {
                  editor.dispatch({ type: 'action', action: `flag-${flag}`, time: event.timeStamp });
                  if (event.detail > 0) focusCanvas();
                }}
                className={cn(
                  chip,
                  isSet ? 'border-accent bg-accent-soft text-accent' : 'border-line enabled:hover:bg-hover',
                )}
              >
                {t(`flags.${flag}`)}
              </button>
            </Tooltip>
          );
        })}
    </fieldset>
  );
}
