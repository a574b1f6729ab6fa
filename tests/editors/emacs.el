;;; emacs.el --- the colours of a Jaxpr in Emacs  -*- lexical-binding: t -*-
;; SPDX-License-Identifier: Apache-2.0
;; emacs -Q --batch -L editors/emacs -l tests/editors/emacs.el FILE

(setq byte-compile-error-on-warn t)
(require 'jaxpr-mode)

(find-file (car command-line-args-left))
(setq command-line-args-left nil)
(font-lock-ensure)

(let ((failed 0))
  (dolist (expected '(("lambda" . font-lock-keyword-face) ("b:f32" . font-lock-variable-name-face)
                      ("f32" . font-lock-type-face) ("scan" . font-lock-preprocessor-face)
                      ("sin" . font-lock-builtin-face) ("mine" . font-lock-function-name-face)
                      ("length" . font-lock-variable-name-face) ("1.5" . font-lock-constant-face)
                      ("False" . font-lock-constant-face) ("'text'" . font-lock-string-face)
                      ("# words.py" . font-lock-comment-face)))
    (goto-char (point-min))
    (search-forward (car expected))
    (let ((face (get-text-property (match-beginning 0) 'face)))
      (unless (eq face (cdr expected))
        (setq failed (1+ failed))
        (message "%s is %s, expected %s" (car expected) face (cdr expected)))))
  (unless (eq major-mode 'jaxpr-mode)
    (setq failed (1+ failed))
    (message "the mode is %s" major-mode))
  (message "%d failed" failed)
  (kill-emacs (if (> failed 0) 1 0)))
