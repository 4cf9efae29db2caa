import { useEffect, useState } from 'react';
import type { ImagePyramid } from '../_canvas/paint/image-pyramid';
import type { WorkItem } from './api';
import { type ImageCache, UndecodableImage } from './image-cache';

export type ItemImage =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly image: ImagePyramid }
  /** `isBroken`: trying again will not help. */
  | { readonly kind: 'failed'; readonly isBroken: boolean };

/** `key` names the image in the cache; its address is the one of an item that the worker still has. */
export function useItemImage(images: ImageCache, key: string, { image }: WorkItem): ItemImage {
  const [state, setState] = useState<ItemImage>(() => {
    const image = images.ready(key);
    return image ? { kind: 'ready', image } : { kind: 'loading' };
  });
  const { url } = image.working;
  useEffect(() => {
    let isGone = false;
    images.load(key, url).then(
      (loaded) =>
        !isGone &&
        setState((now) =>
          now.kind === 'ready' && now.image === loaded ? now : { kind: 'ready', image: loaded },
        ),
      (error) => !isGone && setState({ kind: 'failed', isBroken: error instanceof UndecodableImage }),
    );
    return () => {
      isGone = true;
    };
  }, [images, key, url]);
  return state;
}
