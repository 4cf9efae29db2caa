import { serveRequests } from '@/lib/services/inference/serve-child';
import { convertHdf5Mat } from './read-hdf5-mat';

/** Converts MATLAB 7.3 files in a process of its own. */
serveRequests(async (_, given) => convertHdf5Mat((given as { bytes: Uint8Array }).bytes));
