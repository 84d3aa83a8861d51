// Writes the types of the API for the console, from the description that the service makes of itself.
import { writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';
import { documentOf } from '../build/src/http/openapi/document.js';
import { allRoutes } from './routes.mjs';

const document = documentOf(allRoutes(), { publicUrl: '', accessDeniedStatus: 401 });
const types = astToString(await openapiTypes(JSON.parse(JSON.stringify(document))));
writeFileSync(new URL('../console/api/openapi.ts', import.meta.url), types);
