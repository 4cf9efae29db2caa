'use client';

import { useTranslations } from 'next-intl';
import { useCallback, useId, useState } from 'react';
import { exceptSubmit, useKeyQueue } from '@/app/_ui/use-key-queue';
import { type AnnotationDocument, itemStatus, layerMask, layerOf, toAnswer } from '@/lib/core/editor';
import type { Ring } from '@/lib/core/geometry';
import { area } from '@/lib/core/mask';
import { AnnotationCanvas } from '../_canvas/annotation-canvas';
import { AssistBar } from '../_canvas/assist-bar';
import { Hints } from '../_canvas/hints';
import { InstanceBar } from '../_canvas/instance-bar';
import { Measures } from '../_canvas/measures';
import { Minimap } from '../_canvas/minimap';
import type { ImagePyramid } from '../_canvas/paint/image-pyramid';
import { labelStyle } from '../_canvas/paint/label-style';
import { Toolbar } from '../_canvas/toolbar';
import { useAssist } from '../_canvas/use-assist';
import { type Assists, leaseAssists, useAssistsThere } from '../_canvas/use-assists-there';
import { useEditor } from '../_canvas/use-editor';
import { useToolKeys } from '../_canvas/use-tool-keys';
import type { WorkItem } from './api';
import { DiscardDialog } from './discard-dialog';
import { DrawingActions } from './drawing-actions';
import type { DrawingSession, DrawingTarget } from './drawing-session';
import { ImageProblem } from './image-problem';
import { ItemDialogs } from './item-dialogs';
import type { ItemProps } from './item-props';
import { PanelButton, SidePanel } from './side-panel';
import { TargetList } from './target-list';
import { useTaskSentence } from './task-sentence';
import { toggleFullScreen } from './toggle-full-screen';
import { useActivity } from './use-activity';
import { useItemImage } from './use-item-image';
import { useIsNarrow } from './use-media';
import { usePageActions } from './use-page-actions';
import { WorkFrame } from './work-frame';
import { hiddenTools, isClosed, nextOpen, openItems, pictureOf } from './work-image';
import { Message } from './workspace-messages';

interface DrawingWorkProps extends ItemProps {
  drawing: DrawingSession;
}

const scopes = ['page', 'canvas', 'drawing'] as const;

/** The annotator: tools, the image with all its targets, and what is asked for. */
export function DrawingWork(given: DrawingWorkProps) {
  const { drawing, session, batch, image, work, pictures, canEdit, sheets, onGo } = given;
  const { editor, targets } = drawing;
  const label = useEditor(editor, (state) => state.label);
  const target = drawing.targetOf(label);
  const { item } = target;
  // The page learns of another target a moment after the editor.
  const props = { ...given, item, status: itemStatus(work, item.leaseId) };
  const t = useTranslations('work');
  const hintId = useId();
  const picture = useItemImage(pictures, image.key, pictureOf(work, image));
  useActivity(session.activities, item.leaseId);
  useKeyQueue(props.isChecking || picture.kind === 'loading', exceptSubmit);
  const isNarrow = useIsNarrow();
  const panel = usePanel(given, isNarrow);
  const styleOf = useLabelStyles(drawing);
  const objectOf = useCallback((name: string) => drawing.targetOf(name).object, [drawing]);
  const hidden = hiddenTools(props.hasSmartTools, image.items);
  useToolKeys(editor, hidden);
  const isOpen = !isClosed(props.status);
  const assists = useAssistsThere(props.hasSmartTools && isOpen ? leaseAssists(item.leaseId) : '');
  const [isDiscarding, setDiscarding] = useState(false);
  const { problem, done, doneImage } = useDone(props, target);
  const hasTargets = targets.length > 1;
  const title = useTaskSentence(batch, item);

  usePageActions(editor, {
    done,
    'done-image': doneImage,
    'next-target': () => {
      const next = nextOpen([image], work, item);
      if (next) props.onOpen(next);
    },
    nothing: () => setDiscarding(true),
    'submit-batch': () => canEdit && props.onSubmit(),
    shortcuts: () => sheets.show('shortcuts'),
    comment: () => sheets.show('comment'),
    instructions: panel.toggle,
    'full-screen': toggleFullScreen,
    'next-item': () => onGo(1),
    'previous-item': () => onGo(-1),
  });

  const toolbar = (
    <Toolbar editor={editor} disabled={!canEdit || !isOpen} hidden={hidden} isHorizontal={isNarrow} />
  );
  return (
    <WorkFrame
      item={props}
      title={title}
      actions={
        <DrawingActions
          props={props}
          editor={editor}
          disabled={!canEdit || !isOpen}
          onDone={done}
          onImageDone={hasTargets ? doneImage : undefined}
        />
      }
      tools={isNarrow ? <PanelButton isOpen={panel.isOpen} onToggle={panel.toggle} /> : undefined}
      bottom={isNarrow ? toolbar : undefined}
      messages={
        <>
          {drawing.notices.map((notice) => (
            <Message key={JSON.stringify(notice)} tone="warn">
              {notice.kind === 'unreadable'
                ? t('notices.unreadable')
                : t('notices.labelsAside', { labels: notice.labels.join(', ') })}
            </Message>
          ))}
          {problem && <Message tone="warn">{problem}</Message>}
        </>
      }
      details={
        <>
          <Hints editor={editor} id={hintId} />
          {!isNarrow && <Measures editor={editor} />}
        </>
      }
    >
      {!isNarrow && toolbar}
      <div className="flex min-w-0 flex-1 flex-col">
        {hasTargets && (isNarrow || !panel.isOpen) && (
          <nav aria-label={t('targets.title')} className="shrink-0 border-b border-line bg-surface">
            <TargetList editor={editor} work={work} targets={targets} styleOf={styleOf} isBar />
          </nav>
        )}
        <InstanceBar editor={editor} styleOf={styleOf} disabled={!canEdit || !isOpen} />
        <div className="relative min-h-0 flex-1 bg-stage">
          {picture.kind === 'ready' && (
            <Drawing
              editor={editor}
              item={item}
              objectOf={objectOf}
              image={picture.image}
              styleOf={styleOf}
              hintId={hintId}
              isOpen={isOpen}
              assists={assists}
            />
          )}
          {picture.kind === 'failed' && (
            <div className="flex size-full bg-surface">
              <ImageProblem item={props} isBroken={picture.isBroken} />
            </div>
          )}
        </div>
      </div>
      <SidePanel
        drawing={drawing}
        item={item}
        batch={batch}
        work={work}
        guide={props.guide}
        styleOf={styleOf}
        isOpen={panel.isOpen}
        isSheet={isNarrow}
        onToggle={panel.toggle}
      />
      <DiscardDialog
        open={isDiscarding}
        onOpenChange={setDiscarding}
        onDiscard={() =>
          editor.dispatch({ type: 'action', action: 'nothing', time: performance.now(), isConfirmed: true })
        }
      />
      <ItemDialogs props={props} scopes={scopes} />
    </WorkFrame>
  );
}

/** On a wide screen the panel stays as it was left; on a narrow one it covers the work and starts closed. */
function usePanel({ settings }: ItemProps, isNarrow: boolean) {
  const [isPanelOpen, setPanelOpen] = useState(settings.current.isPanelOpen ?? true);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const toggle = () => {
    if (isNarrow) return setSheetOpen(!isSheetOpen);
    settings.change({ isPanelOpen: !isPanelOpen });
    setPanelOpen(!isPanelOpen);
  };
  return { isOpen: isNarrow ? isSheetOpen : isPanelOpen, toggle };
}

/** Why a drawing is not done yet. It is shown until the drawing changes. */
type Problem = { readonly document: AnnotationDocument; readonly text: string };

function useDone(props: DrawingWorkProps, target: DrawingTarget) {
  const { drawing, image, work, canEdit, isChecking, onDone, onImageDone, onOpen } = props;
  const { editor, targets } = drawing;
  const document = useEditor(editor, (state) => state.document);
  const [problem, setProblem] = useState<Problem>();
  const hasTargets = targets.length > 1;
  const mayFinish = canEdit && !isChecking;
  const t = useTranslations('work.notDone');

  const done = () => {
    const now = editor.state.document;
    const value = toAnswer(now, target.label);
    const text = problemOf(t, now, target, hasTargets);
    setProblem(text === undefined ? undefined : { document: now, text });
    if (value && !text && mayFinish && !isClosed(props.status)) onDone(value);
  };

  const doneImage = () => {
    const now = editor.state.document;
    const open = new Set<WorkItem>(openItems(work, image));
    const left = targets.filter(({ item }) => open.has(item));
    const missing = left.find((each) => problemOf(t, now, each, hasTargets) !== undefined);
    const text = missing && problemOf(t, now, missing, hasTargets);
    setProblem(text === undefined ? undefined : { document: now, text });
    if (missing) onOpen(missing.item);
    else if (mayFinish && props.batch.kind !== 'practice') onImageDone(left.map(({ item }) => item));
  };

  return { problem: problem?.document === document ? problem.text : undefined, done, doneImage };
}

function problemOf(
  t: ReturnType<typeof useTranslations<'work.notDone'>>,
  document: AnnotationDocument,
  { label, item }: DrawingTarget,
  isNamed: boolean,
): string | undefined {
  const value = toAnswer(document, label);
  const name = item.target?.name ?? label;
  if (!value) return isNamed ? t('drawNamed', { name }) : t('draw');
  const layer = layerOf(document, label);
  if (value.kind !== 'mask' || !layer || area(layerMask(document, layer)) > 0) return undefined;
  return t('empty');
}

interface DrawingProps {
  editor: DrawingSession['editor'];
  item: WorkItem;
  objectOf: (label: string) => readonly Ring[];
  image: ImagePyramid;
  styleOf: ReturnType<typeof useLabelStyles>;
  hintId: string;
  isOpen: boolean;
  assists: Assists;
}

function Drawing({ editor, item, objectOf, image, styleOf, hintId, isOpen, assists }: DrawingProps) {
  useAssist(editor, image, assists);
  return (
    <>
      <AnnotationCanvas
        editor={editor}
        image={image}
        styleOf={styleOf}
        objectOf={objectOf}
        describedBy={hintId}
      />
      <AssistBar editor={editor} assists={assists} hasOutline={item.hasOutline && isOpen} />
      <Minimap editor={editor} image={image} />
    </>
  );
}

/** By the place of the label on the image, so that colour and pattern stay while it is open. */
function useLabelStyles(drawing: DrawingSession) {
  return useCallback(
    (label: string) => {
      const { layers } = drawing.editor.state.document;
      return labelStyle(
        Math.max(
          0,
          layers.findIndex((layer) => layer.label === label),
        ),
      );
    },
    [drawing],
  );
}
