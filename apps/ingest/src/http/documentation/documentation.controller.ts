import type { SchemaPart } from '@form-webhooks/http-edge';
import { Controller, Get, Header } from '@nestjs/common';
import { EventSettings } from '../../accept/event-settings.js';
import { DOCUMENT_PATH, PAGE_PATH } from '../paths.js';
import { describeApi } from './describe-api.js';
import { PAGE_POLICY, renderPage } from './page.js';

/** The document of the API for everyone, made once: it says nothing of anybody. */
@Controller()
export class DocumentationController {
  private readonly document: SchemaPart;
  private readonly page: string;

  constructor({ maxBytes }: EventSettings) {
    this.document = describeApi(maxBytes);
    this.page = renderPage(this.document, DOCUMENT_PATH);
  }

  @Get(DOCUMENT_PATH)
  getDocument(): SchemaPart {
    return this.document;
  }

  @Get(PAGE_PATH)
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PAGE_POLICY)
  getPage(): string {
    return this.page;
  }
}
