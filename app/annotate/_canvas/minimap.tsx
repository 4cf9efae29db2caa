'use client';

import { type PointerEvent, useEffect, useRef } from 'react';
import type { Editor, EditorState } from '@/lib/core/editor';
import type { ImagePyramid } from './paint/image-pyramid';
import { useEditor } from './use-editor';

/** Longest side, in screen pixels. */
const SIDE = 160;

/** The whole image and what of it is in view; there while a part of the image is out of view. */
export function Minimap({ editor, image }: { editor: Editor; image: ImagePyramid }) {
  const isNeeded = useEditor(editor, isPartOutOfView);
  return isNeeded ? <Overview editor={editor} image={image} /> : null;
}

function Overview({ editor, image }: { editor: Editor; image: ImagePyramid }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = editor.state.document;
  const scale = SIDE / Math.max(width, height);
  useEffect(() => {
    let requested = 0;
    const paint = () => {
      requested = 0;
      const context = canvas.current?.getContext('2d');
      if (!context) return;
      const { camera, viewport } = editor.state.view;
      image.paint(context, { zoom: scale, panX: 0, panY: 0 }, editor.state.document, 1);
      const side = scale / camera.zoom;
      const box = [
        -camera.panX * side,
        -camera.panY * side,
        viewport.width * side,
        viewport.height * side,
      ] as const;
      context.lineWidth = 4;
      context.strokeStyle = 'rgb(0 0 0 / 60%)';
      context.strokeRect(...box);
      context.lineWidth = 2;
      context.strokeStyle = '#ffffff';
      context.strokeRect(...box);
    };
    paint();
    const stop = editor.subscribe(() => {
      requested ||= requestAnimationFrame(paint);
    });
    return () => {
      stop();
      cancelAnimationFrame(requested);
    };
  }, [editor, image, scale]);

  const goTo = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const { camera, viewport } = editor.state.view;
    const panX = viewport.width / 2 - ((event.clientX - box.left) / scale) * camera.zoom;
    const panY = viewport.height / 2 - ((event.clientY - box.top) / scale) * camera.zoom;
    editor.dispatch({ type: 'view', view: { camera: { ...camera, panX, panY } } });
  };
  return (
    <canvas
      ref={canvas}
      aria-hidden
      width={Math.max(1, Math.round(width * scale))}
      height={Math.max(1, Math.round(height * scale))}
      onPointerDown={goTo}
      onPointerMove={goTo}
      className="absolute end-3 bottom-3 touch-none rounded-md border border-line-strong shadow-overlay"
    />
  );
}

function isPartOutOfView({ view, document }: EditorState): boolean {
  const { camera, viewport } = view;
  return (
    camera.panX < -1 ||
    camera.panY < -1 ||
    camera.panX + document.width * camera.zoom > viewport.width + 1 ||
    camera.panY + document.height * camera.zoom > viewport.height + 1
  );
}
